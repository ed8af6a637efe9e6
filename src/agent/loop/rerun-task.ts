import {
  recordedModel,
  type CompleteOptions,
  type Model,
  type ModelChunk,
  type ModelRequest,
} from "../../model/index.js";
import { optionCheck } from "../../options/index.js";
import type { AgentRun } from "../work/agent-run.js";
import type { SavedTask } from "../saved/saved-task.js";
import type { WordsOfThen } from "../saved/words-below.js";
import { wholeConversation, wordsOf, type TaskWords } from "../saved/task-transcript.js";
import type { TaskOptions } from "./start-task.js";

/** What a rerun takes the place of: the model, and the person who was asked. */
export interface RerunParts {
  readonly model: Model;
  readonly onQuestion: (question: string) => Promise<string>;
  /**
   * For agents that work as tools: says to their tasks what was said then, and asks `otherwise` what nobody was asked then,
   * the programs of contracts for instance, whose replies are not kept.
   */
  readonly modelBelow: (otherwise: Model) => Model;
}

const checkOptions = optionCheck<Pick<TaskOptions, "signal">>("rerunTask", { signal: "object?" });

/**
 * Runs a saved task again: the model's words are those of then, and everything that they set going is real. What the
 * person said meanwhile is said again, and what they were asked is answered as then. Where something else happens than
 * happened then, the rerun ends with a `RecordingMismatchError`: words that were said to something else are no answer.
 *
 * @param makeAgent - an agent of the task's kind, on a session of the caller's choice, with the given parts.
 * @throws {SavedTaskError} for a task in which the model came to no reply.
 */
export function rerunTask(
  saved: SavedTask,
  makeAgent: (parts: RerunParts) => { run(task: string, options: TaskOptions): AgentRun },
  options: Pick<TaskOptions, "signal"> = {},
): AgentRun {
  checkOptions(options);
  const said = saidDuring(saved);
  const answers = saved.events.flatMap((event) =>
    event.type === "question" && event.taskId === saved.taskId && event.answer !== null ? [event.answer] : [],
  );
  const earlier = saved.before.filter(({ kind }) => kind === "step").length;
  const speaker = new Speaker(wordsOf(saved), earlier, (reply) => {
    // Said once the reply is whole: the model then heard it before its next one.
    for (const text of said.get(reply) ?? []) run.say(text);
  });
  const agent = makeAgent({
    model: speaker,
    onQuestion: (question) => {
      const answer = answers.shift();
      if (answer === undefined)
        return Promise.reject(new Error(`Nobody was asked this when the task ran: ${question}`));
      return Promise.resolve(answer);
    },
    modelBelow: (otherwise) => new WordsBelow(saved, otherwise),
  });
  const { after, before } = saved;
  const run = agent.run(saved.task, {
    ...options,
    ...(after === null ? {} : { after: { taskId: after, conversation: before } }),
  });
  for (const text of said.get(0) ?? []) run.say(text);
  return run;
}

/** What the person said, by how many replies the model had come to when it heard it. */
function saidDuring({ events, taskId }: SavedTask): ReadonlyMap<number, readonly string[]> {
  const said = new Map<number, string[]>();
  const unheard: string[] = [];
  let replies = 0;
  const hear = (): void => {
    said.set(replies, [...(said.get(replies) ?? []), ...unheard.splice(0)]);
  };
  for (const event of events) {
    if (event.taskId !== taskId) continue;
    if (event.type === "step-started") hear();
    // Of a step whose reply did not come to its end nothing is said again.
    if (event.type === "step-ended" && event.remembered !== null) replies += 1;
    if (event.type === "user-message") unheard.push(event.text);
  }
  hear();
  return said;
}

/** What was said to the agents in the course of a task. */
class WordsBelow implements Model {
  readonly kind = "recorded";
  readonly #saved: SavedTask;
  readonly #otherwise: Model;
  #words: Promise<WordsOfThen> | undefined;

  constructor(saved: SavedTask, otherwise: Model) {
    this.#saved = saved;
    this.#otherwise = otherwise;
  }

  get name(): string {
    return this.#saved.model.name;
  }

  async *complete(request: ModelRequest, options?: CompleteOptions): AsyncIterable<ModelChunk> {
    // Of a task whose agents called no agents nobody has to know how.
    this.#words ??= import("../saved/words-below.js").then(({ WordsOfThen }) => new WordsOfThen(this.#saved));
    yield* (await this.#words).replyTo(request, options) ?? this.#otherwise.complete(request, options);
  }
}

/** Says what was said then, and tells how often it has. */
class Speaker implements Model {
  readonly kind = "recorded";
  readonly #words: TaskWords;
  readonly #model: Model;
  /** Replies of the tasks that this one continues. */
  readonly #earlier: number;
  readonly #onSaid: (reply: number) => void;
  #replies = 0;

  constructor(words: TaskWords, earlier: number, onSaid: (reply: number) => void) {
    this.#words = words;
    this.#model = recordedModel({ transcripts: [words.transcript], pace: 0 });
    this.#earlier = earlier;
    this.#onSaid = onSaid;
  }

  get name(): string {
    return this.#model.name;
  }

  async *complete(request: ModelRequest, options?: CompleteOptions): AsyncIterable<ModelChunk> {
    const said = this.#earlier + this.#replies;
    const messages = wholeConversation(request.messages, this.#words, said);
    for await (const chunk of this.#model.complete({ ...request, messages }, options)) {
      // Before it is handed on: nobody asks for more after the last piece.
      if (chunk.type === "done") this.#onSaid((this.#replies += 1));
      yield chunk;
    }
  }
}
