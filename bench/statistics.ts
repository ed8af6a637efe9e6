/** One measurement of each side, made one right after the other. Same unit on both sides. */
export interface Pair {
  readonly subject: number;
  readonly baseline: number;
}

/** Subject divided by baseline, with the interval in which the true ratio lies. */
export interface PairedRatio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** What an interval says about a target: at most that, more than that, or neither. */
export type Verdict = "below" | "above" | "not resolved";

/** @throws {RangeError} for no values. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("There is no median of nothing.");
  const sorted = values.toSorted((a, b) => a - b);
  return (at(sorted, (sorted.length - 1) >> 1) + at(sorted, sorted.length >> 1)) / 2;
}

/**
 * The interval that holds the median of what `values` were drawn from, with at
 * least this confidence: two of the values themselves, whose ranks the binomial
 * distribution gives (the sign test turned round). Nothing is assumed about the
 * form of the distribution, so a machine that stutters widens the interval and
 * does not shift it. From 0 to infinity while there are too few values.
 */
export function medianInterval(values: readonly number[], confidence: number): Interval {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = lowerRank(sorted.length, 1 - confidence);
  if (rank === 0) return { low: 0, high: Infinity };
  return { low: at(sorted, rank - 1), high: at(sorted, sorted.length - rank) };
}

/** The median of the pairs' ratios and its interval. What slows both sides of a pair leaves its ratio alone. */
export function pairedRatio(pairs: readonly Pair[], confidence: number): PairedRatio {
  const ratios = pairs.map(({ subject, baseline }) => subject / baseline);
  return { ratio: median(ratios), ...medianInterval(ratios, confidence) };
}

export function verdict({ low, high }: Interval, target: number): Verdict {
  if (high <= target) return "below";
  return low > target ? "above" : "not resolved";
}

/** The largest rank, from 1, that both ends may have; 0 when even the extremes say too little. */
function lowerRank(count: number, risk: number): number {
  let rank = 0;
  let tail = 0;
  // The chance that exactly `k` of `count` values lie below the median.
  let chance = 0.5 ** count;
  for (let k = 0; k < count / 2; k++) {
    tail += chance;
    if (2 * tail > risk) break;
    rank = k + 1;
    chance *= (count - k) / (k + 1);
  }
  return rank;
}

function at(values: readonly number[], index: number): number {
  const value = values[index];
  if (value === undefined) throw new RangeError(`There is no value ${String(index)}.`);
  return value;
}
