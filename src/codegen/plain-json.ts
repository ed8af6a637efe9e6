import { isRecord, pythonTypeOf, VitrineError, withSizes, type Value } from "../protocol/index.js";

/** What JSON can hold, and nothing else: its text is as long as it is large. */
export type PlainJson = null | boolean | number | string | readonly PlainJson[] | { readonly [key: string]: PlainJson };

/** Levels of an artifact, as the helpers of a program count them. */
export const DEEPEST_ARTIFACT = 60;

/** The program handed in an artifact with something that JSON cannot hold, or that is nested deeper than anybody reads. */
export class ArtifactValueError extends VitrineError {
  override readonly name = "ToolCallError";
  readonly code = "ARTIFACT_VALUE";
  /** The artifact's. */
  readonly artifactId: string;

  constructor(artifactId: string, what: string) {
    super(`Artifact '${artifactId.slice(0, 200)}' holds ${what}.`);
    this.artifactId = artifactId;
  }
}

/**
 * A copy of an artifact as plain JSON. Whole numbers beyond the safe integers become their digits. The helpers of a
 * program make its values plain themselves; a worker that does not use them gets an error.
 *
 * @throws {ArtifactValueError}
 */
export function artifactJson(
  value: Readonly<Record<string, Value>>,
  artifactId: string,
  depth = 0,
): Record<string, PlainJson> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainValue(item, artifactId, depth + 1)]));
}

function plainValue(value: Value, artifactId: string, depth: number): PlainJson {
  if (depth > DEEPEST_ARTIFACT) {
    throw new ArtifactValueError(artifactId, `values more than ${String(DEEPEST_ARTIFACT)} levels deep`);
  }
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw new ArtifactValueError(artifactId, `the number ${String(value)}, ${NO_JSON}`);
  }
  if (Array.isArray(value)) return (value as readonly Value[]).map((item) => plainValue(item, artifactId, depth + 1));
  if (value instanceof Uint8Array) {
    throw new ArtifactValueError(artifactId, `bytes (write them to a file under OUTPUT_DIR), ${NO_JSON}`);
  }
  const type = pythonTypeOf(value);
  if (type === undefined && isRecord(value)) return artifactJson(value, artifactId, depth);
  throw new ArtifactValueError(artifactId, `a ${(type ?? value.constructor.name).slice(0, 200)}, ${NO_JSON}`);
}

const NO_JSON = "which JSON cannot hold";

/** JSON of whatever it is, bytes by their number; an ellipsis for what holds itself or is nested too deep. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, withLists);
  } catch {
    return '"…"';
  }
}

function withLists(key: string, value: unknown): unknown {
  return value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : withSizes(key, value);
}
