import { describe, expect, test } from "vitest";

import { measureInPairs } from "../../../bench/pairing.js";

/** A side that gives the same figures again and again, and writes down that it was asked. */
function side(name: string, figures: readonly number[], asked: string[]) {
  let index = 0;
  return () => {
    asked.push(name);
    const time = figures[index++ % figures.length] ?? NaN;
    return Promise.resolve({ time });
  };
}

const options = { targets: { time: 1 }, confidence: 0.9, atLeast: 5, timeLimit: 1000, now: () => 0 };

describe("measureInPairs", () => {
  test("stops at the least number of pairs when these say enough", async () => {
    const asked: string[] = [];
    const sides = { subject: side("s", [1], asked), baseline: side("b", [2], asked) };

    const pairs = await measureInPairs(sides, options);

    expect(pairs.get("time")).toEqual(Array(5).fill({ subject: 1, baseline: 2 }));
  });

  test("lets each side go first in turn", async () => {
    const asked: string[] = [];
    const sides = { subject: side("s", [1], asked), baseline: side("b", [2], asked) };

    await measureInPairs(sides, options);

    expect(asked.join("")).toBe("sbbssbbssb");
  });

  test("goes on while the interval holds the target, until the time is over", async () => {
    let clock = 0;
    const now = (): number => (clock += 10);
    const sides = { subject: side("s", [1, 3], []), baseline: side("b", [2], []) };

    const pairs = await measureInPairs(sides, { ...options, now });

    expect(pairs.get("time")?.length).toBeGreaterThan(50);
  });

  test("goes on until every figure is resolved", async () => {
    let count = 0;
    const subject = () => {
      count += 1;
      // The second figure settles late.
      return Promise.resolve({ open: 1, firstResult: count < 5 ? 3 : 1 });
    };
    const baseline = () => Promise.resolve({ open: 2, firstResult: 2 });

    const pairs = await measureInPairs(
      { subject, baseline },
      { ...options, targets: { open: 0.8, firstResult: 0.8 }, confidence: 0.9 },
    );

    expect(pairs.get("open")?.length).toBe(pairs.get("firstResult")?.length);
    expect(pairs.get("firstResult")?.length).toBeGreaterThan(10);
  });

  test("takes the least number of pairs even when the time is over at once", async () => {
    let clock = 0;
    const sides = { subject: side("s", [1], []), baseline: side("b", [2], []) };

    const pairs = await measureInPairs(sides, { ...options, now: () => (clock += 10_000) });

    expect(pairs.get("time")).toHaveLength(5);
  });
});
