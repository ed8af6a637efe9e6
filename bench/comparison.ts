import { measureInPairs, type Sample } from "./pairing.js";
import { median, pairedRatio, verdict, type Verdict } from "./statistics.js";

/** What a figure counts. A score is a number without a unit, as layout shift is. */
export type Unit = "ms" | "bytes" | "count" | "score";

/** What is compared with what, and what DESIGN.md asks of it. */
export interface Claim {
  readonly name: string;
  readonly subject: string;
  readonly baseline: string;
  /** The ratio that DESIGN.md names; null where it names none. */
  readonly goal: number | null;
  /** Of both sides. Default: milliseconds. */
  readonly unit?: Unit;
}

/** A claim as it came out. */
export interface Result extends Claim {
  readonly kind: "measured";
  /** Medians, in the claim's unit. */
  readonly subjectTime: number;
  readonly baselineTime: number;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly pairs: number;
  /** Against the goal, or against 1 where there is none. */
  readonly verdict: Verdict;
}

/** What is the same at each visit, but for what goes wrong now and then: the most that any of some visits had. */
export interface Counted extends Claim {
  readonly kind: "counted";
  readonly subjectMost: number;
  readonly baselineMost: number;
  /** The most that the subject may have; null where nothing asks for it. The claim's goal is null. */
  readonly most: number | null;
}

/** A claim that has no figures, and why: the engine lacks what it is about, has no figure for it, or it failed. */
export interface NotRun extends Claim {
  readonly kind: "not available" | "not measured in this engine" | "not run";
  readonly reason: string;
}

export type Outcome = Result | Counted | NotRun;

/** How long and how surely to measure. */
export interface Effort {
  readonly confidence: number;
  readonly atLeast: number;
  /** Milliseconds per comparison. */
  readonly timeLimit: number;
  /** Milliseconds that one sample of a short operation should take; it is repeated until it does. */
  readonly sampleTime: number;
}

export const thorough: Effort = { confidence: 0.99, atLeast: 10, timeLimit: 60_000, sampleTime: 150 };
export const quick: Effort = { confidence: 0.9, atLeast: 5, timeLimit: 5000, sampleTime: 60 };

/** Claims whose two sides are measured together; `Figure` names what one measurement gives. */
export interface Comparison<Figure extends string = string> {
  readonly claims: Readonly<Record<Figure, Claim>>;
  readonly subject: Sample<Figure>;
  readonly baseline: Sample<Figure>;
}

export async function compare<Figure extends string>(
  { claims, subject, baseline }: Comparison<Figure>,
  effort: Effort,
): Promise<Outcome[]> {
  const figures = Object.keys(claims) as Figure[];
  const targets = Object.fromEntries(figures.map((figure) => [figure, targetOf(claims[figure])])) as Record<
    Figure,
    number
  >;
  try {
    const measured = await measureInPairs({ subject, baseline }, { ...effort, targets });
    return figures.map((figure): Result => {
      const pairs = measured.get(figure) ?? [];
      const estimate = pairedRatio(pairs, effort.confidence);
      return {
        kind: "measured",
        ...claims[figure],
        subjectTime: median(pairs.map((pair) => pair.subject)),
        baselineTime: median(pairs.map((pair) => pair.baseline)),
        ...estimate,
        pairs: pairs.length,
        verdict: verdict(estimate, targets[figure]),
      };
    });
  } catch (error) {
    return figures.map((figure) => notRun(claims[figure], error));
  }
}

export function notRun(claim: Claim, error: unknown): NotRun {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "not run", ...claim, reason: message.split("\n")[0] ?? message };
}

function targetOf({ goal }: Claim): number {
  return goal ?? 1;
}
