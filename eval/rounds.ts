import type { ModelTool } from "../src/model/index.js";
import type { Json } from "./checks.js";
import { functionName, isSameCall, resultText, type MadeCall } from "./made-calls.js";

/** What an agent knows before its first call. */
export interface KnownFromStart {
  readonly task: string;
  readonly functions: readonly ModelTool[];
  readonly files: readonly string[];
}

/**
 * The calls in as few rounds as they allow: each in the round after the last one that it needs. The calls of a round are
 * made in the order in which they were made by code.
 *
 * What a call needs is read off its arguments, value by value. What stands in the task, in what the functions say of
 * themselves or in a file was known from the start. What stands in the result of earlier calls needs the one of them that
 * is had first. What stands nowhere was computed, or was counted if it is a small whole number; see {@link Needs}. A call
 * that is made again after it failed needs the one that failed.
 */
export function rounds(calls: readonly MadeCall[], { task, functions, files }: KnownFromStart): MadeCall[][] {
  const needs = new Needs(new KnownText([task, JSON.stringify(functions), ...files]));
  const roundOf = new Map<MadeCall, number>();
  for (const call of calls) {
    const before = calls.flatMap((other): Earlier[] =>
      other.ended < call.began ? [{ call: other, round: roundOf.get(other) ?? 0 }] : [],
    );
    roundOf.set(call, needs.firstRoundOf(call, before));
  }
  const last = Math.max(-1, ...roundOf.values());
  return Array.from({ length: last + 1 }, (_, round) => calls.filter((call) => roundOf.get(call) === round));
}

/** A call that had come back. */
interface Earlier {
  readonly call: MadeCall;
  readonly round: number;
}

class Needs {
  readonly #known: KnownText;
  /** By run and function: the round of the first call whose arguments were computed. */
  readonly #loops = new Map<string, number>();

  constructor(known: KnownText) {
    this.#known = known;
  }

  firstRoundOf(call: MadeCall, before: readonly Earlier[]): number {
    const needed = [...leaves(call.arguments)].map((value) => this.#roundFor(value, { call, before }));
    const failed = before.filter(({ call: other }) => other.outcome.kind === "error" && isSameCall(other, call));
    return Math.max(0, ...needed, after(failed));
  }

  #roundFor(
    value: string | number,
    { call, before }: { readonly call: MadeCall; readonly before: readonly Earlier[] },
  ): number {
    if (this.#known.has(value)) return 0;
    // Seven packs are computed, though a seven may stand in any result; a page 7 is counted.
    const isAmount = isSmallWhole(value) && !onlyTells(call);
    if (!isAmount) {
      const sources = before.filter(({ call: other }) => !isSave(other) && resultHas(other, value));
      if (sources.length > 0) return Math.min(...sources.map(({ round }) => round)) + 1;
      if (isSmallWhole(value)) return 0;
    }
    return onlyTells(call) ? this.#loopRound(call, before) : after(before.filter((other) => this.#told(other, value)));
  }

  /**
   * A value of a call that only reads may have been computed from anything that was told before. But the code of one run
   * was written as a whole: where it calls a function again and again with computed values, the later ones are taken to be
   * known as early as the first, as in a loop over a list.
   */
  #loopRound(call: MadeCall, before: readonly Earlier[]): number {
    const loop = `${call.run} ${functionName(call)}`;
    const round = this.#loops.get(loop) ?? after(before.filter((other) => this.#told(other, "")));
    this.#loops.set(loop, round);
    return round;
  }

  /**
   * Whether the value may have been computed from what the call said: from all that was read, and from what failed. Of a
   * call that changes something the answer, "sent" for instance, matters only where it stands in the value.
   */
  #told({ call }: Earlier, value: string | number): boolean {
    if (isSave(call)) return false;
    if (onlyTells(call) || call.outcome.kind === "error") return true;
    return [...leaves(call.outcome.value)].some((said) => {
      if (typeof value === "number" || isSmallWhole(said)) return said === value;
      return !this.#known.has(said) && new KnownText([value]).has(said);
    });
  }
}

function after(calls: readonly Earlier[]): number {
  return Math.max(-1, ...calls.map(({ round }) => round)) + 1;
}

function isSave({ namespace, name }: MadeCall): boolean {
  return namespace === "artifacts" && name === "save";
}

/** Whether it is called for what it says. A tool that does not say so of itself may change something. */
function onlyTells({ isReadOnly, namespace }: MadeCall): boolean {
  return isReadOnly || namespace === "skills";
}

/** Hours 0 to 11, pages 1 to 5. */
function isSmallWhole(value: string | number): boolean {
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= 100;
}

function resultHas({ outcome }: MadeCall, value: string | number): boolean {
  return new KnownText([resultText(outcome)]).has(value);
}

/** The values within; keys are the functions' own. */
function* leaves(value: Json): Iterable<string | number> {
  if (typeof value === "string" || typeof value === "number") yield value;
  else if (typeof value === "object" && value !== null) for (const item of Object.values(value)) yield* leaves(item);
}

/** Texts in which a value may stand as a word of its own. */
class KnownText {
  readonly #text: string;

  constructor(texts: readonly string[]) {
    this.#text = texts.join("\n");
  }

  has(value: string | number): boolean {
    const text = String(value);
    if (text.trim() === "") return true;
    for (let at = this.#text.indexOf(text); at >= 0; at = this.#text.indexOf(text, at + 1)) {
      if (!isInsideWord(this.#text, at, text)) return true;
    }
    return false;
  }
}

/** 12 does not stand in 2012, 1.5 not in 11.5, and "a" not in "and". */
function isInsideWord(within: string, at: number, text: string): boolean {
  const [before, after] = [within.slice(Math.max(0, at - 2), at), within.slice(at + text.length, at + text.length + 2)];
  const [first, last] = [text.charAt(0), text.slice(-1)];
  const joinsBefore = /\w/.test(first) && (/\w$/.test(before) || (/\d/.test(first) && /\d[.,]$/.test(before)));
  const joinsAfter = /\w/.test(last) && (/^\w/.test(after) || (/\d/.test(last) && /^[.,]\d/.test(after)));
  return joinsBefore || joinsAfter;
}
