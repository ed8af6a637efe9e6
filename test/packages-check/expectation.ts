import type { Value } from "../../src/index.js";
import type { Expectation } from "./snippets/index.js";

/** What came of a run, as far as a snippet may expect something of it. */
export interface Observation {
  /** The formatted error; null where there is none. */
  readonly error: string | null;
  readonly value: Value;
  readonly stdout: string;
  /** The MIME types of each display. */
  readonly displays: readonly (readonly string[])[];
  readonly taken: readonly Value[];
  /** The version that is installed. */
  readonly version: string;
}

/** In words, how what came differs from what was expected; empty where it does not. */
export function differences(expected: Expectation, observed: Observation): string[] {
  if (observed.error !== null) return [observed.error];
  const { value, isVersion, displays, taken, printed = [] } = expected;
  return [
    ...(value === undefined ? [] : differ("value", value, observed.value)),
    ...(isVersion === true ? differ("value", observed.version, observed.value) : []),
    ...(taken === undefined ? [] : differ("tools.take got", taken, observed.taken)),
    ...(displays === undefined ? [] : differentDisplays(displays, observed.displays)),
    ...printed
      .filter((text) => !observed.stdout.includes(text))
      .map((text) => `${JSON.stringify(text)} was not printed, but ${inShort(observed.stdout)}`),
  ];
}

function differ(what: string, expected: Value | readonly Value[], found: Value | readonly Value[]): string[] {
  const [wanted, came] = [inJson(expected), inJson(found)];
  return wanted === came ? [] : [`${what}: expected ${wanted}, found ${inShort(found)}`];
}

function differentDisplays(expected: readonly string[], found: readonly (readonly string[])[]): string[] {
  const same = expected.length === found.length && expected.every((type, index) => found[index]?.includes(type));
  return same ? [] : [`displays: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`];
}

/** Typed arrays are written as lists, and the keys of objects in order. */
function inJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown): unknown => {
    if (typeof part === "bigint") return String(part);
    if (isNumbers(part)) return [...part];
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(entriesOf(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function isNumbers(value: unknown): value is Iterable<unknown> {
  return ArrayBuffer.isView(value) && Symbol.iterator in value;
}

function entriesOf(value: object): [string, unknown][] {
  if (!(value instanceof Map)) return Object.entries(value);
  return Array.from(value, ([key, part]: [unknown, unknown]): [string, unknown] => [String(key), part]);
}

const LONGEST = 300;

function inShort(value: unknown): string {
  const text = inJson(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
