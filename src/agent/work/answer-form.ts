import { messageOf, type Value } from "../../protocol/index.js";
import { parseValue, type ValueSchema } from "../../tools/index.js";
import { AgentOptionsError, InvalidFinalAnswerError } from "../errors.js";
import type { AgentStep } from "../events/events.js";

const REFUSAL = "Your final answer does not have the form that was asked for:";

/** What the answer of one task has to look like. */
export class AnswerForm {
  readonly #schema: ValueSchema;
  #hasRefused = false;

  constructor(schema: ValueSchema) {
    this.#schema = schema;
  }

  /**
   * What keeps the value from having the form; null when it has it.
   *
   * @throws {AgentOptionsError} when the schema itself cannot be used.
   */
  async problem(value: Value): Promise<string | null> {
    try {
      const parsed = await parseValue(this.#schema, value);
      return "reason" in parsed ? parsed.reason : null;
    } catch (cause) {
      const reason = messageOf(cause);
      throw new AgentOptionsError("answer", `has a schema that cannot be used: ${reason}`);
    }
  }

  /** In a task that goes on the one repair may have been used up. */
  takeUp(steps: readonly Pick<AgentStep, "observation">[]): void {
    this.#hasRefused ||= steps.some(({ observation }) => observation?.startsWith(REFUSAL) === true);
  }

  /**
   * What the model is told of an answer that has another form; null for one that has this form. `text` is the answer in
   * words, `remedy` how to give it again.
   *
   * @throws {InvalidFinalAnswerError} for a second answer of another form.
   * @throws {AgentOptionsError} when the schema itself cannot be used.
   */
  async refusal(value: Value, { text, remedy }: { text: string; remedy: string }): Promise<string | null> {
    const problem = await this.problem(value);
    if (problem === null) return null;
    if (this.#hasRefused) throw new InvalidFinalAnswerError(text, problem);
    this.#hasRefused = true;
    return `${REFUSAL} ${problem}\n` + `Nothing else is wrong with it. ${remedy}`;
  }
}
