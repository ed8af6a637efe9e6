import { unlessAborted, VitrineError } from "../../../protocol/index.js";
import type {
  McpAnswers,
  McpElicitation,
  McpElicitationAnswer,
  McpSampling,
  McpSamplingAnswer,
  McpWaitingCall,
} from "../../../tools/index.js";
import type { Models } from "../session/models.js";
import { Observable } from "../text/observable.js";
import type { ElicitationForm, FormContent } from "./elicitation-form.js";
import type { SamplingReply } from "./sampling-reply.js";

/** The MCP server that asks. */
export interface Asker {
  /** As code calls it: `tools.shop`. */
  readonly name: string;
  /** Where it is, with its port; empty where nothing is known of that. */
  readonly hosts: readonly string[];
  /** Its calls that wait, the oldest first. */
  readonly calls: readonly McpWaitingCall[];
}

interface Pending {
  readonly asker: Asker;
  /** Where the card is drawn: beside the step whose call waits, or in the console. */
  readonly place: "task" | "console";
  readonly decline: () => void;
  /** Every question of this server, until the task ends, or from the console until the run does. */
  readonly declineAll: () => void;
  /** Nobody can be asked after all: the server is told so. */
  readonly fail: (error: Error) => void;
}

/** A question of an MCP server that waits for the user. */
export type PendingServerQuestion = Pending &
  (
    | {
        readonly kind: "form";
        readonly message: string;
        readonly form: ElicitationForm;
        readonly accept: (content: FormContent) => void;
        readonly cancel: () => void;
      }
    | {
        readonly kind: "url";
        readonly message: string;
        readonly url: string;
        readonly accept: () => void;
        readonly cancel: () => void;
      }
    | {
        readonly kind: "sampling";
        readonly asked: McpSampling;
        readonly reply: SamplingReply;
        readonly send: (answer: McpSamplingAnswer) => void;
      }
  );

export interface ServerQuestionsOptions {
  /** The id of the task that runs. One that is replayed does not. */
  readonly runningTask: () => string | null;
  readonly hostsOf: (tool: string) => readonly string[];
  readonly models: Models;
}

/** The user does not let a model answer an MCP server. The server is told, and its call goes on or fails as it likes. */
export class SamplingRefusedError extends Error {
  override readonly name = "SamplingRefusedError";
  /** MCP's number for it. */
  readonly code = -1;
}

/** Questions that wait for the user at a time, the one that is shown included. */
const MOST_WAITING = 10;

/** As many questions wait for the user as may. This one was not kept, and its server is told. */
export class TooManyQuestionsError extends VitrineError {
  override readonly name = "TooManyQuestionsError";
  readonly code = "TOO_MANY_QUESTIONS";

  constructor(readonly limit: number) {
    super(`${String(limit)} questions wait for the user already. Ask again when they are answered.`);
  }
}

const DECLINED: McpElicitationAnswer = { action: "decline" };
const CANCELLED: McpElicitationAnswer = { action: "cancel" };

/** What the user says to a question, one way or the other. */
interface Say<T> {
  readonly answer: (given: T) => void;
  readonly fail: (error: Error) => void;
}

/** What MCP servers ask the user, one question at a time. */
export class ServerQuestions extends Observable {
  pending: PendingServerQuestion | null = null;
  readonly #options: ServerQuestionsOptions;
  /** Whom the user declined for good, by task or run, and server. */
  readonly #declined = { inTask: new Set<string>(), inRuns: new Set<string>() };
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ServerQuestionsOptions) {
    super();
    this.#options = options;
  }

  /** For a session. Both reject when nobody waits for the answer any more. */
  readonly answers: Required<Pick<McpAnswers, "onElicitation" | "onSampling">> = {
    onElicitation: (asked, signal) => this.#elicit(asked, signal),
    onSampling: (asked, signal) => this.#sample(asked, signal),
  };

  /** What was said for a task ends with it. */
  endTask(): void {
    this.#declined.inTask.clear();
  }

  async #elicit(asked: McpElicitation, signal: AbortSignal): Promise<McpElicitationAnswer> {
    const decline = (): McpElicitationAnswer => DECLINED;
    if (asked.kind === "url") {
      const { message, url } = asked;
      return this.#ask(asked, { signal, decline }, (pending, { answer }: Say<McpElicitationAnswer>) => ({
        ...pending,
        kind: "url",
        message,
        url,
        accept: () => {
          answer({ action: "accept" });
        },
        cancel: () => {
          answer(CANCELLED);
        },
      }));
    }
    // Most visits see no such question.
    const { ElicitationForm } = await import("./elicitation-form.js");
    const form = new ElicitationForm(asked.schema);
    return this.#ask(asked, { signal, decline }, (pending, { answer }: Say<McpElicitationAnswer>) => ({
      ...pending,
      kind: "form",
      message: asked.message,
      form,
      accept: (content) => {
        answer({ action: "accept", content });
      },
      cancel: () => {
        answer(CANCELLED);
      },
    }));
  }

  async #sample(asked: McpSampling, signal: AbortSignal): Promise<McpSamplingAnswer> {
    const { SamplingReply } = await import("./sampling-reply.js");
    const reply = new SamplingReply(asked, this.#options.models);
    const decline = (): never => {
      throw new SamplingRefusedError(
        reply.modelName === null
          ? "The user has set up no model of their own, so nothing answers."
          : "The user does not let a model answer this.",
      );
    };
    try {
      return await this.#ask(asked, { signal, decline }, (pending, { answer }: Say<McpSamplingAnswer>) => ({
        ...pending,
        kind: "sampling",
        asked,
        reply,
        send: answer,
      }));
    } finally {
      reply.stop();
    }
  }

  async #ask<T>(
    { tool, calls }: Pick<McpElicitation, "tool" | "calls">,
    { signal, decline }: { readonly signal: AbortSignal; readonly decline: () => T },
    make: (pending: Pending, say: Say<T>) => PendingServerQuestion,
  ): Promise<T> {
    if (calls.length === 0) throw new Error("No call of this server waits, so the user is not asked.");
    if (this.#waiting >= MOST_WAITING) throw new TooManyQuestionsError(MOST_WAITING);
    const running = this.#options.runningTask();
    const place = running !== null && calls.some(({ path }) => path[0]?.taskId === running) ? "task" : "console";
    const declined = place === "task" ? this.#declined.inTask : this.#declined.inRuns;
    const keys = calls.map(({ runId }) => JSON.stringify([tool, place === "task" ? running : runId]));
    const before = this.#last;
    const { promise: isOver, resolve: end } = Promise.withResolvers<null>();
    this.#last = before.then(() => isOver);
    this.#waiting += 1;
    try {
      await unlessAborted(before, signal);
      if (keys.some((key) => declined.has(key))) return decline();
      const asker = { name: `tools.${tool}`, hosts: this.#options.hostsOf(tool), calls };
      return await this.#shown(signal, decline, (say, refuse) =>
        make(
          {
            asker,
            place,
            decline: refuse,
            declineAll: () => {
              for (const key of keys) declined.add(key);
              refuse();
            },
            fail: say.fail,
          },
          say,
        ),
      );
    } finally {
      this.#waiting -= 1;
      end(null);
    }
  }

  #shown<T>(
    signal: AbortSignal,
    decline: () => T,
    make: (say: Say<T>, refuse: () => void) => PendingServerQuestion,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const say: Say<T> = { answer: resolve, fail: reject };
    const refuse = (): void => {
      try {
        resolve(decline());
      } catch (error) {
        reject(error);
      }
    };
    this.#show(make(say, refuse));
    return unlessAborted(promise, signal).finally(() => {
      this.#show(null);
    });
  }

  #show(pending: PendingServerQuestion | null): void {
    this.pending = pending;
    this.changed();
  }
}
