import { z } from "zod";

import { withoutThoughts } from "../../model/index.js";
import { isNestedDeeper, type Value } from "../../protocol/index.js";
import { DEEPEST_DEFINITION } from "../../tools/index.js";
import { REPLY_KEY } from "./response-schema.js";

/** A call that the model asks for; nobody has looked at its arguments yet. */
export interface AskedCall {
  readonly name: string;
  /** Undefined where it has none, and where they are no JSON at all. */
  readonly arguments: Value;
}

/** What a reply in JSON says. */
export type ParsedReply =
  | { readonly kind: "calls"; readonly scratchpad: string | null; readonly calls: readonly AskedCall[] }
  | { readonly kind: "answer"; readonly value: Value }
  | { readonly kind: "scratchpad"; readonly text: string }
  /** No JSON, or none of these. */
  | { readonly kind: "bad" };

const BAD: ParsedReply = { kind: "bad" };

const Reply = z.object({
  scratchpad: z.string().nullish(),
  tool: z.string().nullish(),
  arguments: z.json().optional(),
  answer: z.json().optional(),
});

/**
 * Reads a reply that should be one JSON object, or a list of calls. What a reasoning model thinks before it and the fence
 * around it are no part of it. Whatever the reply is, it is read to an end.
 */
export function parseReply(text: string): ParsedReply {
  for (const candidate of candidates(text)) {
    const json = boundedJson(candidate);
    if (json !== undefined) return readReply(json);
  }
  return BAD;
}

/** The value of JSON text; undefined for what is none, or is nested deeper than a value may be. */
export function boundedJson(text: string): Value {
  try {
    const json: unknown = JSON.parse(text);
    if (isNestedDeeper(json, DEEPEST_DEFINITION)) return undefined;
    const parsed = z.json().safeParse(json);
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** The reply without what a reasoning model thinks, and without the fence around it. */
export function plainReply(text: string): string {
  const said = withoutThoughts(text).trim();
  return insideFence(said) ?? said;
}

/** What may be the JSON: the reply as it is, which may speak of thoughts; without its own; or what stands in its one fence, with words around it. */
function candidates(text: string): string[] {
  const plain = plainReply(text);
  const lines = plain.split("\n");
  const fences = lines.flatMap((line, index) => (line.trimStart().startsWith("```") ? [index] : []));
  const [first, last] = fences;
  if (fences.length !== 2 || first === undefined || last === undefined) return [text, plain];
  return [text, plain, lines.slice(first + 1, last).join("\n")];
}

/** Written by hand: a pattern would take forever on a reply that is nothing but fences. */
function insideFence(text: string): string | undefined {
  if (!text.startsWith("```") || !text.endsWith("```")) return undefined;
  const opening = /^`+\w*/.exec(text)?.[0].length ?? 0;
  let end = text.length;
  while (text[end - 1] === "`") end -= 1;
  return end <= opening ? undefined : text.slice(opening, end).trim();
}

function readReply(json: Value): ParsedReply {
  if (Array.isArray(json)) return readList(json);
  const wrapped = z.strictObject({ [REPLY_KEY]: z.json() }).safeParse(json);
  if (wrapped.success) return readOne(wrapped.data[REPLY_KEY]);
  return readOne(json);
}

function readOne(json: unknown): ParsedReply {
  const parsed = Reply.safeParse(json);
  if (!parsed.success) return BAD;
  const { scratchpad, tool, answer, arguments: given } = parsed.data;
  const note = scratchpad?.trim() ?? "";
  const text = note === "" ? null : note;
  if (typeof tool === "string") {
    // Who calls a tool and answers as well has not seen what comes of the call.
    if (tool.trim() === "" || (answer !== undefined && answer !== null)) return BAD;
    return { kind: "calls", scratchpad: text, calls: [{ name: tool.trim(), arguments: given }] };
  }
  // Null is an answer of its own, where there is nothing else.
  if (answer !== undefined && (answer !== null || text === null)) return { kind: "answer", value: answer };
  return text === null ? BAD : { kind: "scratchpad", text };
}

/** Several calls, run in their order. A list of anything else is no reply. */
function readList(list: readonly Value[]): ParsedReply {
  const notes: string[] = [];
  const calls: AskedCall[] = [];
  for (const item of list) {
    const one = readOne(item);
    if (one.kind !== "calls") return BAD;
    if (one.scratchpad !== null) notes.push(one.scratchpad);
    calls.push(...one.calls);
  }
  if (calls.length === 0) return BAD;
  return { kind: "calls", scratchpad: notes.length === 0 ? null : notes.join("\n"), calls };
}
