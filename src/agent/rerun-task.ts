import { recordedModel, type CompleteOptions, type Model, type ModelChunk, type ModelRequest } from "../model/index.js";
import type { AgentRun } from "./agent-run.js";
import type { SavedTask } from "./saved/saved-task.js";
import { taskTranscript } from "./saved/task-transcript.js";
import type { TaskOptions } from "./start-task.js";

/** What a rerun takes the place of: the model, and the person who was asked. */
export interface RerunParts {
  readonly model: Model;
  readonly onQuestion: (question: string) => Promise<string>;
}

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
  const words = recordedModel({ transcripts: [taskTranscript(saved)], pace: 0 });
  const said = saidDuring(saved);
  const answers = saved.events.flatMap((event) =>
    event.type === "question" && event.taskId === saved.taskId && event.answer !== null ? [event.answer] : [],
  );
  const speaker = new Speaker(words, (reply) => {
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
  });
  const { after, before } = saved;
  const run = agent.run(saved.task, {
    ...options,
    ...(after === null ? {} : { after: { taskId: after, conversation: before } }),
  });
  return run;
}

/** What the person said, by the step of the task in whose course they said it; counted from 1. */
function saidDuring({ events, taskId }: SavedTask): ReadonlyMap<number, readonly string[]> {
  const said = new Map<number, string[]>();
  let step = 0;
  for (const event of events) {
    if (event.taskId !== taskId) continue;
    if (event.type === "step-started" && event.step !== null) step = event.step;
    if (event.type === "user-message") said.set(step, [...(said.get(step) ?? []), event.text]);
  }
  return said;
}

/** Tells when it has said something, and how often it has. */
class Speaker implements Model {
  readonly kind = "recorded";
  readonly #words: Model;
  readonly #onSaid: (reply: number) => void;
  #replies = 0;

  constructor(words: Model, onSaid: (reply: number) => void) {
    this.#words = words;
    this.#onSaid = onSaid;
  }

  get name(): string {
    return this.#words.name;
  }

  async *complete(request: ModelRequest, options?: CompleteOptions): AsyncIterable<ModelChunk> {
    for await (const chunk of this.#words.complete(request, options)) {
      // Before it is handed on: nobody asks for more after the last piece.
      if (chunk.type === "done") this.#onSaid((this.#replies += 1));
      yield chunk;
    }
  }
}
