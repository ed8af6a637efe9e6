import { onTestFinished, vi } from "vitest";

/**
 * Lets the clock of the page leap ahead for the rest of the test: whoever looks at it finds that so much time has passed,
 * and nobody had to wait. Timers keep to the real time, and so do workers.
 *
 * @returns what makes it leap by so many milliseconds.
 */
export function leapingClock(): (milliseconds: number) => void {
  const real = performance.now.bind(performance);
  let ahead = 0;
  const now = vi.spyOn(performance, "now").mockImplementation(() => real() + ahead);
  onTestFinished(() => {
    now.mockRestore();
  });
  return (milliseconds) => {
    ahead += milliseconds;
  };
}

/** Longer than any test takes: what a clock shows that leapt so far was not measured. */
export const AN_HOUR = 3_600_000;
