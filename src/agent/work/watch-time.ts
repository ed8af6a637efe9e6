import type { WorkLog } from "./event-log.js";
import type { Work } from "./work.js";

/** Milliseconds that a timer of every browser can take. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Stops the work when its time is over, whatever goes on. @returns how to stop watching. */
export function watchTime(work: Work<WorkLog>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    const { timeLeft } = work.meter;
    if (timeLeft === Infinity) return;
    if (timeLeft === 0) work.timeIsOver.abort(work.meter.timeReached);
    // While a person is asked the time that is left does not get less.
    else timer = setTimeout(look, Math.min(Math.max(timeLeft, 20), LONGEST_TIMER));
  };
  look();
  return () => {
    clearTimeout(timer);
  };
}
