import { z } from "zod";

import { PROJECT_LOG } from "../../contract/index.js";
import { isRecord, VitrineError, type Value } from "../../protocol/index.js";
import { codegenError, type CodegenError } from "../errors.js";
import { jsonOf } from "../plain-json.js";
import { ArtifactValueError } from "../plain-json.js";
import { ProgramState, type ArtifactPayload } from "./program-state.js";

/** What a program left in its result file, be it the one of `done()` or one of its own. */
export type ResultFile =
  | { readonly kind: "none" }
  /** No JSON of a dict. */
  | { readonly kind: "malformed" }
  /** More than a program may hand in. */
  | { readonly kind: "too-large"; readonly reason: string }
  | {
      readonly kind: "saved";
      readonly objective: string;
      readonly artifacts: ReadonlyMap<string, ArtifactPayload>;
      /** By the ids of artifacts that cannot be taken: why. */
      readonly refused: ReadonlyMap<string, string>;
      readonly error: CodegenError | null;
    };

/** Bytes of a file that is read. */
const MOST_BYTES = 20_000_000;
/** Values in it. The page's own thread reads it, and nothing can stop that once it has begun. */
const MOST_VALUES = 500_000;

const Dict = z.custom<Readonly<Record<string, Value>>>(isRecord);
const Saved = z.object({
  objective: z.string().catch(""),
  ok: z.unknown().optional(),
  out_dyn: Dict.catch({}),
  out: z.array(z.unknown()).catch([]),
  error: Dict.nullable().catch(null),
});

/** Reads it within the bounds of what a program tells by its helpers: how something is handed in makes no difference. */
export function readResultFile(bytes: Uint8Array | undefined): ResultFile {
  if (bytes === undefined) return { kind: "none" };
  if (bytes.byteLength > MOST_BYTES) return tooLarge(`it has ${String(bytes.byteLength)} bytes`);
  if (holdsMoreThan(MOST_VALUES, bytes)) return tooLarge(`it has more than ${String(MOST_VALUES)} values`);
  const saved = parsed(new TextDecoder().decode(bytes));
  if (saved === null) return { kind: "malformed" };
  const state = new ProgramState();
  const refused = new Map<string, string>();
  try {
    state.take({ kind: "progress", content: { objective: saved.objective } });
    for (const [id, payload] of artifactsOf(saved)) {
      const fault = take(state, id, payload);
      if (fault === null) continue;
      take(state, id, {});
      refused.set(id, fault);
    }
  } catch (error) {
    return tooLarge(error instanceof VitrineError ? error.message : "a text of it is too long");
  }
  const { ok, error } = saved;
  return {
    kind: "saved",
    objective: state.objective,
    artifacts: state.artifacts,
    refused,
    error: error === null ? (ok === false ? UNSAID : null) : statedError(error),
  };
}

/** @returns why this artifact alone cannot be taken. @throws what is wrong with all of them together. */
function take(state: ProgramState, id: string, payload: Readonly<Record<string, Value>>): string | null {
  try {
    state.take({ kind: "progress", content: { artifacts: Object.fromEntries([[id, payload]]) } });
    return null;
  } catch (error) {
    if (error instanceof ArtifactValueError) return error.message;
    throw error;
  }
}

function tooLarge(reason: string): ResultFile {
  return { kind: "too-large", reason };
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** What stands before or after each value of a list or dict: `,`, `:`, `[`, `{`. */
const MARKS = new Set([0x2c, 0x3a, 0x5b, 0x7b]);

function holdsMoreThan(most: number, bytes: Uint8Array): boolean {
  let count = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) isInText = !isInText;
    else if (isInText) at += byte === BACKSLASH ? 1 : 0;
    else if (MARKS.has(byte) && (count += 1) > most) return true;
  }
  return false;
}

function parsed(text: string): z.infer<typeof Saved> | null {
  try {
    return Saved.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const UNSAID = codegenError({ where: "runtime", error: "failed", description: "The program says that it failed." });

function artifactsOf({ out_dyn: made, out }: z.infer<typeof Saved>): [string, Readonly<Record<string, Value>>][] {
  const given = Object.entries(made).flatMap(([id, payload]): [string, Readonly<Record<string, Value>>][] =>
    isRecord(payload) && id !== PROJECT_LOG ? [[id, payload]] : [],
  );
  if (given.length > 0) return given;
  // Of rows with one id the first stands; the bounds count every row.
  const seen = new Set<string>();
  return out.flatMap(artifactRow).filter(([id]) => !seen.has(id) && seen.add(id));
}

const Row = z.object({ resource_id: z.string(), output: z.custom<Value>() }).partial().catchall(z.custom<Value>());

/** `{resource_id: "artifact:<id>", output: payload}`, also with `slot:`, or with what the payload has beside it. */
function artifactRow(given: unknown): [string, Readonly<Record<string, Value>>][] {
  const { resource_id: name = "", output, ...beside } = Row.safeParse(given).data ?? {};
  const id = /^(?:artifact|slot):(.+)$/.exec(name)?.[1];
  if (id === undefined || id === PROJECT_LOG) return [];
  const payload = isRecord(output) ? output : output === undefined ? {} : { value: output };
  return [[id, { ...beside, ...payload, type: payload.type ?? beside.type }]];
}

function statedError({ where, error, description, details, managed }: Readonly<Record<string, Value>>): CodegenError {
  const text = (value: Value): string =>
    typeof value === "string" ? value : value === undefined || value === null ? "" : jsonOf(value);
  return codegenError({
    where: text(where) || "runtime",
    error: text(error),
    description: text(description),
    details: text(details),
    managed: managed !== false,
  });
}
