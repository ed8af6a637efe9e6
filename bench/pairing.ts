import { pairedRatio, verdict, type Pair } from "./statistics.js";

/** Measures one side once. One measurement may give several figures. */
export type Sample<Figure extends string> = () => Promise<Readonly<Record<Figure, number>>>;

export interface PairingOptions<Figure extends string> {
  /** The ratio from which the interval of each figure has to separate. */
  readonly targets: Readonly<Record<Figure, number>>;
  readonly confidence: number;
  /** Pairs that are measured in any case. */
  readonly atLeast: number;
  /** Milliseconds after which no other pair is begun. */
  readonly timeLimit: number;
  /** Default: `performance.now`. */
  readonly now?: () => number;
}

/** How wide the interval of a resolved figure may be, as a part of its ratio. */
const WIDEST = 0.25;

/**
 * Measures both sides in turn until every figure's interval separates from its
 * target, or the time is over. The side that goes first changes with each pair,
 * so that a machine that grows warmer favours neither.
 */
export async function measureInPairs<Figure extends string>(
  sides: { readonly subject: Sample<Figure>; readonly baseline: Sample<Figure> },
  options: PairingOptions<Figure>,
): Promise<Map<Figure, Pair[]>> {
  const { targets, atLeast, timeLimit, now = () => performance.now() } = options;
  const figures = Object.keys(targets) as Figure[];
  const pairs = new Map<Figure, Pair[]>(figures.map((figure) => [figure, []]));
  const started = now();
  for (let count = 0; ; count++) {
    const enough = count >= atLeast && figures.every((figure) => isResolved(pairs.get(figure) ?? [], figure, options));
    if (enough || (count >= atLeast && now() - started > timeLimit)) return pairs;
    const subjectFirst = count % 2 === 0;
    const first = await (subjectFirst ? sides.subject : sides.baseline)();
    const second = await (subjectFirst ? sides.baseline : sides.subject)();
    const [subject, baseline] = subjectFirst ? [first, second] : [second, first];
    for (const [figure, list] of pairs) list.push({ subject: subject[figure], baseline: baseline[figure] });
  }
}

function isResolved<Figure extends string>(
  pairs: readonly Pair[],
  figure: Figure,
  { targets, confidence }: PairingOptions<Figure>,
): boolean {
  const estimate = pairedRatio(pairs, confidence);
  const isNarrow = estimate.high - estimate.low <= WIDEST * estimate.ratio;
  return isNarrow && verdict(estimate, targets[figure]) !== "not resolved";
}
