import { optionCheck } from "../../options/index.js";
import { Slices } from "../../protocol/index.js";
import type { AgentEvent } from "../events/events.js";
import type { SavedTask } from "./saved-task.js";

/** How fast the events of a saved task come again. */
export interface ReplayOptions {
  /** How many times as fast as it went. Default 4; Infinity gives all events at once. */
  readonly speed?: number;
  /** Milliseconds that a pause may take, however long the model thought. Default 800. */
  readonly longestPause?: number;
  /** Ends the replay. */
  readonly signal?: AbortSignal;
}

const checkOptions = optionCheck<ReplayOptions>("replayTask", {
  speed: "number?",
  longestPause: "number?",
  signal: "object?",
});

/**
 * The events of a saved task as they came, with their pauses. Nothing is executed: no model is asked, no code is run,
 * no tool is called.
 */
export async function* replayTask(
  { events }: Pick<SavedTask, "events">,
  options: ReplayOptions = {},
): AsyncGenerator<AgentEvent, void, void> {
  checkOptions(options);
  const { speed = 4, longestPause = 800, signal } = options;
  let before: number | null = null;
  const slices = new Slices();
  for (const event of events) {
    const pause = before === null ? 0 : Math.min((event.time - before) / speed, longestPause);
    before = event.time;
    if (pause >= SHORTEST_PAUSE) await wait(pause, signal);
    // Thousands of events at once would hold the page up.
    else await slices.rest();
    if (signal?.aborted === true) return;
    yield event;
  }
}

/** Milliseconds. Shorter ones are longer as timers. */
const SHORTEST_PAUSE = 4;

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done);
    if (signal?.aborted === true) done();
  });
}
