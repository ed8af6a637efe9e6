import { setTimeout as wait } from "node:timers/promises";

import { z } from "zod";

import type { EnginePage } from "../test/engines/drivers/index.js";
import type { TaskRequest, TaskRun } from "./page/run-task.js";

/** What is left of a run whose page failed: its steps and its time nobody knows. */
export interface FailedRun extends Omit<TaskRun, "steps" | "elapsed"> {
  readonly steps: null;
  readonly elapsed: null;
}

/** Milliseconds beyond a task's own limit, for opening its session and stopping it. */
const GRACE = 30_000;

/** Runs tasks in one page, and in a new one after a page has failed: a tab that crashed or hangs is no reason to give up the others. */
export class EvalPages {
  readonly #open: () => Promise<EnginePage>;
  readonly #grace: number;
  #page: EnginePage | null = null;

  /** `grace`: milliseconds after a task's limit until its page is taken to hang. Default: 30,000. */
  constructor(open: () => Promise<EnginePage>, { grace = GRACE }: { readonly grace?: number } = {}) {
    this.#open = open;
    this.#grace = grace;
  }

  async run(request: TaskRequest): Promise<TaskRun | FailedRun> {
    const giveUp = new AbortController();
    try {
      this.#page ??= await this.#open();
      const answer = this.#page.evaluate(`globalThis.evaluation.runTask(${JSON.stringify(request)})`);
      const late = wait(request.limit + this.#grace, undefined, { signal: giveUp.signal }).then(() => {
        throw new Error("The page does not answer.");
      });
      return taskRun.parse(await Promise.race([answer, late]));
    } catch (error) {
      this.#leave();
      const failure = error instanceof Error ? error.message : String(error);
      const nothing = { answer: null, problems: [], steps: null, elapsed: null, calls: [], functions: [], files: [] };
      return { ...nothing, failure, taskText: "" };
    } finally {
      giveUp.abort();
    }
  }

  /** A page that hangs may never close, so nobody waits for it; the browser's end takes it along. */
  #leave(): void {
    this.#page?.close().catch(() => undefined);
    this.#page = null;
  }
}

/** It comes from our own page; what is looked at is that it came whole. */
const taskRun = z.custom<TaskRun>(
  (value) => z.looseObject({ steps: z.number(), calls: z.array(z.unknown()) }).safeParse(value).success,
);
