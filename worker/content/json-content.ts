import { parse as locate } from "@humanwhocodes/momoa";

import { shortenUnitsTo, type ContentFacts } from "../../src/protocol/index.js";
import { ContentFault, tooDeep, type Position } from "./content-fault.js";
import { LONGEST_MESSAGE, type Look } from "./look.js";
import { positionOf } from "./text.js";

/** Characters up to which a mistake is looked for once more by a parser that can say where it is. */
const LOCATED = 4_000_000;

type JsonType = Extract<ContentFacts, { format: "json" }>["type"];

export function readJson(text: string, look: Look): ContentFacts {
  const depth = depthOf(text, look.limits.depth);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw parseFault(text, error);
  }
  const length = typeof value === "object" && value !== null ? Object.keys(value).length : null;
  return { format: "json", type: typeOf(value), length, depth };
}

/** Levels of brackets outside of strings. Engines differ in how many of them `JSON.parse` survives. */
function depthOf(text: string, limit: number): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth -= 1;
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      depth += 1;
      if (depth > limit) throw tooDeep(limit, positionOf(text, index));
      if (depth > deepest) deepest = depth;
    }
  }
  return deepest;
}

const [QUOTE, BACKSLASH, OPENING_BRACE, CLOSING_BRACE, OPENING_BRACKET, CLOSING_BRACKET] = [34, 92, 123, 125, 91, 93];

function parseFault(text: string, error: unknown): ContentFault {
  const { reason, position } = located(text) ?? { reason: error instanceof Error ? error.message : "", position: {} };
  return new ContentFault("json_parse_failed", shortenUnitsTo(reason, LONGEST_MESSAGE), position);
}

interface Located {
  readonly reason: string;
  readonly position: Position;
}

function located(text: string): Located | undefined {
  if (text.length > LOCATED) return undefined;
  try {
    locate(text, { mode: "json", allowTrailingCommas: false });
    return undefined;
  } catch (error) {
    const offset = error instanceof Error && "offset" in error ? error.offset : undefined;
    if (!(error instanceof Error) || typeof offset !== "number") return undefined;
    const position = positionOf(text, offset);
    const reason = error.message.replace(/\.? \(\d+:\d+\)$/, "");
    return { reason: `${reason}${hint(text, offset)}`, position };
  }
}

/** What stands where JSON cannot have it, and what to do about it. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:-?Infinity|NaN)/,
    "that is no number of JSON; null stands for it, and json.dumps(…, allow_nan=False) refuses it",
  ],
  [/^(?:None|True|False)/, "JSON has null, true and false, which json.dumps writes"],
  [/^'/, "JSON has strings in double quotes, which json.dumps writes"],
  [/^```/, "a fence of Markdown is no part of it"],
  [/^\/[/*]/, "JSON has no comments"],
];

function hint(text: string, offset: number): string {
  if (/^[\]}]/.test(text.slice(offset, offset + 1)) && /,\s*$/.test(text.slice(Math.max(0, offset - 100), offset))) {
    return "; before it stands a comma too many";
  }
  // The parser may be some characters past the beginning of a word.
  const before = /[\w-]*$/.exec(text.slice(Math.max(0, offset - 10), offset))?.[0].length ?? 0;
  const found = text.slice(offset - before, offset - before + 20);
  const [, advice] = HINTS.find(([pattern]) => pattern.test(found)) ?? [];
  return advice === undefined ? "" : `; ${advice}`;
}

function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return Array.isArray(value) ? "array" : "object";
}
