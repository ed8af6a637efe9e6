import { messageText, type ModelMessage } from "../../model/index.js";
import { extractCode } from "../conversation/extract-code.js";
import type { AgentEvent, AgentName, Code, ModelEnded, StepEnded, TaskStarted } from "../events/events.js";
import type { RunResult } from "../../session/index.js";
import { interruptedReply, PICTURE_TEXT, rememberedReply } from "../conversation/remembered-reply.js";
import { SavedTaskError } from "./errors.js";

/**
 * Makes sure that a task from a file says again what it shows. What is drawn of a step is the model's reply and its code;
 * what is said again when the task is run again, or goes on, is what its end remembers; what the model was told is drawn
 * as the step's observation. In what was recorded these are one, and the events are in an order in which both have their place; a file may claim anything.
 *
 * @throws {SavedTaskError}
 */
export function checkWords(events: readonly AgentEvent[]): void {
  if (events[0]?.type !== "task-started" || events[0].parentId !== null) {
    throw new SavedTaskError("it does not begin with the beginning of its task");
  }
  const tasks = new Map<string, CheckedTask>();
  const mentioned = new Set<string>();
  /** Ids of what stands in a step: the tasks of other agents are drawn below it. */
  const places = new Set<string>();
  for (const event of events) {
    const { type, taskId, step, id } = event;
    if (type === "task-started") {
      if (mentioned.has(taskId)) throw new SavedTaskError("it has events of a task before that begins");
      if (tasks.size > 0) checkBelow(event, places);
      tasks.set(taskId, new CheckedTask(event.agent));
    }
    mentioned.add(taskId);
    // One that never began is neither drawn nor said again.
    const task = tasks.get(taskId);
    task?.take(event);
    if (task?.has(step) === true) places.add(id);
  }
}

function checkBelow({ parentId, before }: TaskStarted, places: ReadonlySet<string>): void {
  if (parentId === null) throw new SavedTaskError("it holds more than one task");
  if (!places.has(parentId)) throw new SavedTaskError("it has the task of another agent that no step asked for");
  if (before.length > 0) throw new SavedTaskError("another agent's task in it continues one that it does not show");
}

/** A task as far as its events have been looked at. */
class CheckedTask {
  readonly #agent: AgentName;
  #steps = 0;
  /** The step that has begun and not ended. */
  #open: number | null = null;
  #isInterrupted = false;
  /** What the model said in it, once that was whole. */
  #said: ModelEnded | null = null;
  /** Questions about a skill to which the model has said nothing. */
  #asked = 0;

  constructor(agent: AgentName) {
    this.#agent = agent;
  }

  has(step: number | null): boolean {
    return step !== null && step >= 1 && step <= this.#steps;
  }

  take(event: AgentEvent): void {
    switch (event.type) {
      case "step-started":
        this.#steps += 1;
        if (this.#open !== null || event.step !== this.#steps) throw this.#fault("does not follow the one before it");
        this.#open = event.step;
        this.#isInterrupted = false;
        this.#said = null;
        break;
      case "task-resumed":
        this.#isInterrupted = this.#open !== null;
        break;
      case "model-ended":
        if (event.step === null) this.#hearOfSkill();
        else this.#hear(event);
        break;
      case "model-text":
      case "model-retry":
      case "pruned":
        // They would be drawn in the place of the reply.
        if (event.step !== null && (event.step !== this.#open || this.#said !== null)) {
          throw this.#fault("goes on with its reply after that has ended");
        }
        break;
      case "question":
        if (!this.has(event.step)) throw new SavedTaskError("it has a question of a step that it does not have");
        break;
      case "code":
        this.#checkCode(event);
        break;
      case "step-ended":
        this.#end(event);
        break;
      case "skill-asked":
        this.#asked += 1;
        break;
      default:
        break;
    }
  }

  #hearOfSkill(): void {
    if (this.#asked === 0) throw new SavedTaskError("it has a reply to nothing that it shows");
    this.#asked -= 1;
  }

  #hear(event: ModelEnded): void {
    if (event.step !== this.#open || this.#said !== null) throw this.#fault("has more than one reply");
    this.#said = event;
  }

  #checkCode({ step, code }: Code): void {
    const isOfReply =
      this.#agent === "code" &&
      step === this.#open &&
      this.#said !== null &&
      extractCode(this.#said.reply)?.code === code;
    if (!isOfReply) throw this.#fault("shows other code than its reply holds");
  }

  #end({ step, remembered, interrupted, observation, run }: StepEnded): void {
    if (step === null || step !== this.#open) throw this.#fault("ends without having begun");
    if (remembered !== null) {
      const said = this.#said === null ? null : { ...this.#said, text: this.#said.reply };
      const { reply, told } = remembered;
      const isSaid =
        said !== null &&
        (areSame(reply, rememberedReply(said, told)) ||
          ((this.#isInterrupted || interrupted !== undefined) && areSame(reply, interruptedReply(said))));
      if (!isSaid) throw this.#fault("shows another reply than would be said again");
      if (told.length > 0 && !isShown(told, observation, run)) {
        throw this.#fault("tells the model another thing than it shows");
      }
    }
    this.#open = null;
    this.#said = null;
  }

  #fault(problem: string): SavedTaskError {
    return new SavedTaskError(`step ${String(this.#open ?? this.#steps)} ${problem}`);
  }
}

/** Whether what the model is told is the observation, with nothing but pictures that the run made. */
function isShown(messages: readonly ModelMessage[], observation: string | null, run: RunResult | null): boolean {
  const parts = messages.flatMap(({ content }) =>
    typeof content === "string" ? [{ type: "text" as const, text: content }] : content,
  );
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return (
    texts.join("\n\n") === observation &&
    parts.every((part) => part.type === "text" || (part.text === PICTURE_TEXT && isMade(part.data, run)))
  );
}

function isMade(bytes: Uint8Array, run: RunResult | null): boolean {
  const made = (run?.outputs ?? []).flatMap(({ data }) => Object.values(data));
  return made.some(
    (value) =>
      value instanceof Uint8Array && value.length === bytes.length && value.every((byte, at) => byte === bytes[at]),
  );
}

function areSame(one: ModelMessage, other: ModelMessage): boolean {
  return messageText(one) === messageText(other) && callsOf(one) === callsOf(other);
}

function callsOf(message: ModelMessage): string {
  const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
  return JSON.stringify(calls.map(({ id, name, arguments: given }) => [id, name, given]));
}
