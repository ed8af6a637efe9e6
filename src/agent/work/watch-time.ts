import type { BudgetMeter } from "../budget/budget.js";

/** Milliseconds that a timer of every browser can take. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Aborts when the time of a task is over, whatever goes on. @returns how to stop watching. */
export function watchTime(meter: BudgetMeter, timeIsOver: AbortController): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    const { timeLeft } = meter;
    if (timeLeft === Infinity) return;
    if (timeLeft === 0) timeIsOver.abort(meter.timeReached);
    // While a person is asked the time that is left does not get less.
    else timer = setTimeout(look, Math.min(Math.max(timeLeft, 20), LONGEST_TIMER));
  };
  look();
  return () => {
    clearTimeout(timer);
  };
}
