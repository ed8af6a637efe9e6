import { expect, test } from "vitest";

import { formatAge, formatElapsed } from "../../../src/ui/state/text/format.js";

test.each([
  [0.4, "< 1 ms"],
  [3, "3 ms"],
  [99.6, "0.10 s"],
  [210, "0.21 s"],
  [997, "1.0 s"],
  [9_960, "10 s"],
  [59_400, "59 s"],
  [59_700, "1 min 0 s"],
  [119_600, "2 min 0 s"],
  [125_000, "2 min 5 s"],
])("%d milliseconds are %s", (milliseconds, text) => {
  expect(formatElapsed(milliseconds)).toBe(text);
});

test("an age counts whole minutes, of which an hour has sixty", () => {
  const now = new Date(2026, 0, 2, 12, 0, 0);
  const before = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);

  expect(formatAge(before(59), now)).toBe("now");
  expect(formatAge(before(3_590), now)).toBe("59 min ago");
  expect(formatAge(before(3_600), now)).toBe("11:00");
});
