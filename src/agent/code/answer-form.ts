import type { Value } from "../../protocol/index.js";
import { parseValue, type ValueSchema } from "../../tools/index.js";
import { AgentOptionsError } from "../errors.js";

/** What the answer of a task has to look like. */
export class AnswerForm {
  readonly #schema: ValueSchema;

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
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new AgentOptionsError("answer", `has a schema that cannot be used: ${reason}`);
    }
  }
}
