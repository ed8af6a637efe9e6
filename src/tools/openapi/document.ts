import * as JsonPointer from "@hyperjump/json-pointer";

/** What JSON can be. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Why a part of a document cannot be used, and where it is: a JSON pointer. */
export class OpenApiFault extends Error {
  override readonly name = "OpenApiFault";

  constructor(
    readonly pointer: string,
    readonly reason: string,
  ) {
    super(`${pointer}: ${reason}`);
  }
}

/** A part of a document together with where it stands. */
export interface Located<T extends Json = Json> {
  readonly value: T;
  readonly pointer: string;
}

/** A document in which references are followed. */
export class OpenApiDocument {
  constructor(readonly root: JsonObject) {}

  /**
   * What a reference refers to, through further references to the end.
   *
   * @throws {OpenApiFault} when it leads nowhere, in a circle, or out of the document.
   */
  resolve(part: Located): Located {
    let found = part;
    const seen = new Set<string>();
    for (let reference = referenceOf(found.value); reference !== undefined; reference = referenceOf(found.value)) {
      if (seen.has(reference)) throw new OpenApiFault(part.pointer, `the reference ${reference} leads in a circle`);
      seen.add(reference);
      found = this.#follow(reference, part.pointer);
    }
    return found;
  }

  /** {@link resolve} of what must be an object. @throws {OpenApiFault} */
  object(part: Located): Located<JsonObject> {
    const { value, pointer } = this.resolve(part);
    if (!isObject(value)) throw new OpenApiFault(pointer, `it must be an object, not ${kindOf(value)}`);
    return { value, pointer };
  }

  #follow(reference: string, from: string): Located {
    if (!reference.startsWith("#")) {
      throw new OpenApiFault(from, `${reference} is another document; only references into this one are followed`);
    }
    let value: unknown;
    let pointer: string;
    try {
      pointer = decodeURIComponent(reference.slice(1));
      value = JsonPointer.get(pointer, this.root as JsonPointer.JsonObject);
    } catch {
      throw new OpenApiFault(from, `the reference ${reference} leads nowhere`);
    }
    // What every object inherits is no part of a document.
    if (value === undefined || typeof value === "function") {
      throw new OpenApiFault(from, `the reference ${reference} leads nowhere`);
    }
    return { value: value as Json, pointer };
  }
}

/** A member, by its own key alone. */
export function member({ value, pointer }: Located, key: string): Located | undefined {
  if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
  const found = value[key];
  return found === undefined ? undefined : { value: found, pointer: `${pointer}/${escapePointer(key)}` };
}

/** The items of a list. @throws {OpenApiFault} when it is none; what is missing is empty. */
export function items(part: Located | undefined): Located[] {
  if (part === undefined) return [];
  const { value, pointer } = part;
  if (!Array.isArray(value)) throw new OpenApiFault(pointer, `it must be a list, not ${kindOf(value)}`);
  return (value as readonly Json[]).map((item, index) => ({ value: item, pointer: `${pointer}/${String(index)}` }));
}

/** The entries of an object. @throws {OpenApiFault} when it is none; what is missing is empty. */
export function entries(part: Located | undefined): (readonly [key: string, value: Located])[] {
  if (part === undefined) return [];
  const { value, pointer } = part;
  if (!isObject(value)) throw new OpenApiFault(pointer, `it must be an object, not ${kindOf(value)}`);
  return Object.entries(value).map(
    ([key, item]) => [key, { value: item, pointer: `${pointer}/${escapePointer(key)}` }] as const,
  );
}

/** A text, or what stands in for a missing one. @throws {OpenApiFault} when it is something else. */
export function text(part: Located | undefined, fallback = ""): string {
  if (part === undefined) return fallback;
  if (part.value === null) return fallback;
  if (typeof part.value !== "string")
    throw new OpenApiFault(part.pointer, `it must be text, not ${kindOf(part.value)}`);
  return part.value;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function referenceOf(value: Json): string | undefined {
  return isObject(value) && typeof value.$ref === "string" ? value.$ref : undefined;
}

export function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : typeof value === "string" ? "text" : `a ${typeof value}`;
}
