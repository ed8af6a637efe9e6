import { isRecord, pythonTypeOf, VitrineError, type Value } from "../protocol/index.js";

/** What JSON can hold, and nothing else: its text is as long as it is large. */
export type PlainJson = null | boolean | number | string | readonly PlainJson[] | { readonly [key: string]: PlainJson };

/** The program handed in an artifact with something that JSON cannot hold. */
export class ArtifactValueError extends VitrineError {
  override readonly name = "ToolCallError";
  readonly code = "ARTIFACT_VALUE";
  /** The artifact's. */
  readonly artifactId: string;

  constructor(artifactId: string, what: string) {
    super(`Artifact '${artifactId.slice(0, 200)}' holds ${what}, which JSON cannot hold.`);
    this.artifactId = artifactId;
  }
}

/**
 * A copy of an artifact as plain JSON. Whole numbers beyond the safe integers become their digits. The helpers of a
 * program make its values plain themselves; a worker that does not use them gets an error.
 *
 * @throws {ArtifactValueError}
 */
export function plainJson(value: Readonly<Record<string, Value>>, artifactId: string): Record<string, PlainJson> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, artifactId)]));
}

function plain(value: Value, artifactId: string): PlainJson {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw new ArtifactValueError(artifactId, `the number ${String(value)}`);
  }
  if (Array.isArray(value)) return (value as readonly Value[]).map((item) => plain(item, artifactId));
  if (value instanceof Uint8Array) {
    throw new ArtifactValueError(artifactId, "bytes (write them to a file under OUTPUT_DIR)");
  }
  const type = pythonTypeOf(value);
  if (type === undefined && isRecord(value)) return plainJson(value, artifactId);
  throw new ArtifactValueError(artifactId, `a ${(type ?? value.constructor.name).slice(0, 200)}`);
}
