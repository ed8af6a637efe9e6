import type { QuestionContext } from "../../../agent/index.js";
import { NoInputError } from "../../../session/index.js";
import { Observable } from "../text/observable.js";

/** Answers what the code of an agent asks. */
export type OnAgentQuestion = (
  question: string,
  context: QuestionContext & {
    /** The tool that the agent is; absent for that of the task itself. */
    readonly agent?: string;
  },
) => Promise<string>;

/** Code asks the user for a line. */
export interface PendingQuestion {
  /** That of its event in the task that runs; null where no task shows it: the console's code asks, or an agent that it called. */
  readonly id: string | null;
  /** Whose code asks. */
  readonly asker: string;
  readonly text: string;
  /** Null: the user does not answer, and `input()` raises EOFError. */
  readonly answer: (text: string | null) => void;
}

/** What code wants to know. Several may ask at once: agents that work side by side, for instance. */
export class Questions extends Observable {
  readonly #pending = new Set<PendingQuestion>();

  /** The oldest that no task shows. */
  get placeless(): PendingQuestion | null {
    return [...this.#pending].find(({ id }) => id === null) ?? null;
  }

  /** Resolves once the user has answered. @param signal - nobody waits for the answer any more. */
  ask(
    text: string,
    {
      id = null,
      asker = "The code",
      signal,
    }: { readonly id?: string | null; readonly asker?: string; readonly signal: AbortSignal },
  ): Promise<string> {
    if (signal.aborted) return Promise.reject(new NoInputError());
    return new Promise((resolve, reject) => {
      const answer = (given: string | null): void => {
        signal.removeEventListener("abort", leave);
        this.#pending.delete(question);
        this.changed();
        if (given === null) reject(new NoInputError());
        else resolve(given);
      };
      const leave = (): void => {
        answer(null);
      };
      const question: PendingQuestion = { id, asker, text, answer };
      signal.addEventListener("abort", leave);
      this.#pending.add(question);
      this.changed();
    });
  }

  /** Answers the question of that event; null for no answer. */
  answer(id: string, text: string | null): void {
    for (const question of this.#pending) if (question.id === id) question.answer(text);
  }
}
