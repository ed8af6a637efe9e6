import { describe, expect, test } from "vitest";

import { median, medianInterval, pairedRatio, verdict } from "../../../bench/statistics.js";

describe("median", () => {
  test("is the middle value, or the mean of the two in the middle", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
  });

  test("leaves the order of its input alone", () => {
    const values = [3, 1, 2];

    median(values);

    expect(values).toEqual([3, 1, 2]);
  });

  test("of nothing is refused", () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe("medianInterval", () => {
  const oneTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

  test("says nothing while there are too few values for the confidence", () => {
    expect(medianInterval(oneTo(5), 0.95)).toEqual({ low: 0, high: Infinity });
    expect(medianInterval(oneTo(7), 0.99)).toEqual({ low: 0, high: Infinity });
    expect(medianInterval([], 0.9)).toEqual({ low: 0, high: Infinity });
  });

  test("reaches from the least to the greatest as soon as these are sure enough", () => {
    // Six tosses of a coin come out all alike with a chance of 2 in 64.
    expect(medianInterval(oneTo(6), 0.95)).toEqual({ low: 1, high: 6 });
    expect(medianInterval(oneTo(8), 0.99)).toEqual({ low: 1, high: 8 });
  });

  test("takes the ranks of the sign test's tables for more values", () => {
    expect(medianInterval(oneTo(10), 0.95)).toEqual({ low: 2, high: 9 });
    expect(medianInterval(oneTo(20), 0.95)).toEqual({ low: 6, high: 15 });
    expect(medianInterval(oneTo(100), 0.95)).toEqual({ low: 40, high: 61 });
  });

  test("is not moved by one value that is far off", () => {
    expect(medianInterval([...oneTo(19), 1e9], 0.95)).toEqual({ low: 6, high: 15 });
  });

  test("holds the true median as often as it says", () => {
    // A fixed generator, so that the test says the same each time.
    let state = 1;
    const random = (): number => {
      state = (state * 48271) % 2147483647;
      return state / 2147483647;
    };
    const draws = Array.from({ length: 2000 }, () =>
      medianInterval(
        Array.from({ length: 15 }, () => -Math.log(random())),
        0.95,
      ),
    );

    const hits = draws.filter(({ low, high }) => low <= Math.LN2 && Math.LN2 <= high).length;

    expect(hits / draws.length).toBeGreaterThan(0.95);
  });
});

describe("pairedRatio", () => {
  test("is not changed by a machine that becomes slower for both sides", () => {
    const pairs = [1, 1, 5, 9, 2, 2].map((load) => ({ subject: 3 * load, baseline: 2 * load }));

    expect(pairedRatio(pairs, 0.95)).toEqual({ ratio: 1.5, low: 1.5, high: 1.5 });
  });

  test("gives the interval of the ratios, not of the times", () => {
    const pairs = [1.1, 1.2, 1.3, 1.4, 1.5, 1.6].map((ratio) => ({ subject: ratio, baseline: 1 }));

    expect(pairedRatio(pairs, 0.95)).toEqual({ ratio: 1.35, low: 1.1, high: 1.6 });
  });
});

describe("verdict", () => {
  test("is below or above only where the whole interval is", () => {
    expect(verdict({ low: 0.7, high: 0.8 }, 0.8)).toBe("below");
    expect(verdict({ low: 0.81, high: 0.9 }, 0.8)).toBe("above");
    expect(verdict({ low: 0.7, high: 0.9 }, 0.8)).toBe("not resolved");
    expect(verdict({ low: 0, high: Infinity }, 0.8)).toBe("not resolved");
  });
});
