import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { CallDeadline } from "../../../src/tools/requests/call-deadline.js";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("a paused deadline goes on with the time that was left, once every pause is over", () => {
  const deadline = new CallDeadline(new AbortController().signal, 100);
  vi.advanceTimersByTime(60);
  const resumeFirst = deadline.pause();
  const resumeSecond = deadline.pause();
  vi.advanceTimersByTime(1000);
  resumeFirst();
  resumeFirst();
  vi.advanceTimersByTime(1000);
  expect(deadline.expired).toBe(false);

  resumeSecond();
  vi.advanceTimersByTime(39);
  expect(deadline.expired).toBe(false);
  vi.advanceTimersByTime(1);

  expect(deadline.expired).toBe(true);
  expect(deadline.signal.aborted).toBe(true);
});

test("a deadline that has ended is not started again by what paused it", () => {
  const deadline = new CallDeadline(new AbortController().signal, 100);
  const resume = deadline.pause();

  deadline.end();
  resume();
  vi.advanceTimersByTime(1000);

  expect(deadline.expired).toBe(false);
});
