import { Content, isRecord, Tuple, VitrineError, type Value } from "../protocol/index.js";

import { SecretNotFoundError } from "./errors.js";
import { fillReferences, referencesIn } from "./references.js";
import { formsOf } from "./secret-forms.js";
import type { SecretStore } from "./secret-store.js";

/** Shorter ones are not struck: they would take ordinary words out of ordinary text. */
const SHORTEST_STRUCK = 6;
/** Bytes of a binary value that are looked through. */
const LARGEST_BYTES = 16 * 2 ** 20;
const MAX_DEPTH = 100;
/** Values of one token that are still struck: eight times an access, a refresh and an identity token. */
const KEPT_TOKENS = 24;

/** The parts of a report that may hold a secret. */
interface ReportedProgress {
  readonly message?: string;
  readonly piece?: Value;
}

/**
 * The secrets of a session as its adapters use them: every value that was asked
 * for is remembered, and struck from what comes back.
 *
 * Struck are texts, keys and bytes that hold the value in one of the forms of
 * `secret-forms.ts` or in a further form that an adapter notes; in lists, sets and
 * dicts too. Not struck are values of fewer than six characters, numbers, binary
 * values over 16 MiB, and what a server made of a secret: reversed, hashed, in
 * pieces.
 */
export class UsedSecrets implements SecretStore {
  readonly #store: SecretStore | undefined;
  /** What stands in place of each form. */
  readonly #forms = new Map<string, string>();
  /** By name the values of what is given anew all the time, the latest last. */
  readonly #tokens = new Map<string, Set<string>>();
  /** The longest first, so that nothing of a longer one is left when it holds a shorter one. */
  #ordered: readonly (readonly [form: string, mark: string])[] = [];

  constructor(store?: SecretStore) {
    this.#store = store;
  }

  /** The store itself when it remembers already, so that adapters of one session share what they used. */
  static of(store: SecretStore | undefined): UsedSecrets {
    return store instanceof UsedSecrets ? store : new UsedSecrets(store);
  }

  async get(name: string): Promise<string | undefined> {
    const value = await this.#store?.get(name);
    if (value !== undefined) this.noteValue(name, value);
    return value;
  }

  async names(): Promise<readonly string[]> {
    return (await this.#store?.names()) ?? [];
  }

  /** @throws {SecretNotFoundError} saying that `neededBy` needs it: `tool 'library'`. */
  async need(name: string, neededBy: string): Promise<string> {
    const value = await this.get(name);
    if (value === undefined || value === "") throw new SecretNotFoundError(name, neededBy);
    return value;
  }

  /**
   * The text with each `${NAME}` replaced by the secret of that name.
   *
   * @throws {SecretNotFoundError}
   * @throws {SecretReferenceError}
   */
  async fill(text: string, neededBy: string): Promise<string> {
    const values = new Map<string, string>();
    for (const name of referencesIn(text)) values.set(name, await this.need(name, neededBy));
    return fillReferences(text, (name) => values.get(name) ?? "");
  }

  /** Has a value that stands in no store, what registration gave for instance, struck like one that does. */
  noteValue(name: string, value: string): void {
    for (const form of formsOf(value)) this.note(name, form);
  }

  /**
   * Has a token struck, which another one of that name will follow soon: of each name the latest 24 values are struck,
   * so that a session of many hours does not look for thousands of tokens that hold no longer.
   */
  noteToken(name: string, value: string): void {
    const values = this.#tokens.get(name) ?? new Set();
    this.#tokens.set(name, values);
    const isKnown = values.delete(value);
    values.add(value);
    if (isKnown) return;
    const [oldest] = values;
    if (values.size > KEPT_TOKENS && oldest !== undefined) values.delete(oldest);
    this.#order();
  }

  /** Has another form of a secret struck as well: user and password in Base64, for instance. */
  note(name: string, form: string): void {
    if (form.length < SHORTEST_STRUCK || this.#forms.has(form)) return;
    this.#forms.set(form, markOf(name));
    this.#order();
  }

  #order(): void {
    const forms = new Map<string, string>();
    for (const [name, values] of this.#tokens) {
      for (const form of [...values].flatMap(formsOf)) {
        if (form.length >= SHORTEST_STRUCK) forms.set(form, markOf(name));
      }
    }
    for (const [form, mark] of this.#forms) forms.set(form, mark);
    this.#ordered = [...forms].sort(([a], [b]) => b.length - a.length);
  }

  /** Runs the call of an adapter: what it returns and throws comes out struck. */
  async guard(work: () => Promise<Value>): Promise<Value> {
    try {
      return this.strike(await work());
    } catch (error) {
      throw this.strikeError(error);
    }
  }

  strikeText(text: string): string {
    let struck = text;
    for (const [form, mark] of this.#ordered) {
      if (struck.includes(form)) struck = struck.replaceAll(form, () => mark);
    }
    return struck;
  }

  /** {@link strikeText} of a text that may have been cut off: the beginning of a secret at its end is struck as well. */
  strikeCutText(text: string): string {
    const struck = this.strikeText(text);
    for (const [form, mark] of this.#ordered) {
      for (let length = Math.min(form.length - 1, struck.length); length >= SHORTEST_STRUCK; length -= 1) {
        if (struck.endsWith(form.slice(0, length))) return `${struck.slice(0, -length)}${mark}`;
      }
    }
    return struck;
  }

  /** What a tool tells of its way, without the secrets. */
  strikeProgress<Progress extends ReportedProgress>(progress: Progress): Progress {
    if (this.#ordered.length === 0) return progress;
    const { message, piece } = progress;
    return {
      ...progress,
      ...(message === undefined ? {} : { message: this.strikeText(message) }),
      ...(piece === undefined ? {} : { piece: this.strike(piece) }),
    };
  }

  /** The value itself when it holds no secret, else a copy without. */
  strike(value: Value): Value {
    return this.#ordered.length === 0 ? value : this.#strikeDeep(value, 0);
  }

  /** The error itself when it holds no secret, else one of the same class whose message and details do not. */
  strikeError(error: unknown): unknown {
    if (this.#ordered.length === 0) return error;
    if (!(error instanceof Error)) return typeof error === "string" ? this.strikeText(error) : error;
    const own = Object.entries(error).map(([key, value]) => [key, value, this.strike(value as Value)] as const);
    const details = error instanceof VitrineError ? error.details() : {};
    const struckDetails = this.strike(details);
    const message = this.strikeText(error.message);
    const holdsSecret =
      message !== error.message ||
      struckDetails !== details ||
      own.some(([, before, after]) => !Object.is(before, after));
    // What caused it is for the page's console alone, and its text is in the message already.
    if (!holdsSecret) return error;
    // Private fields make a copy impossible: the new one stands in front of the old one.
    const struck = Object.create(error, {
      message: { value: message, writable: true },
      stack: { value: this.strikeText(error.stack ?? ""), writable: true },
      cause: { value: undefined },
      ...Object.fromEntries(own.map(([key, , value]) => [key, { value, enumerable: true }])),
      ...(error instanceof VitrineError ? { details: { value: () => struckDetails } } : {}),
    }) as Error;
    return struck;
  }

  #strikeDeep(value: Value, depth: number): Value {
    if (typeof value === "string") return this.strikeText(value);
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
    if (value instanceof Uint8Array) return this.#strikeBytes(value);
    if (Array.isArray(value)) return this.#strikeList(value as readonly Value[], depth);
    if (value instanceof Set) {
      const before = [...(value as ReadonlySet<Value>)];
      const after = before.map((item) => this.#strikeDeep(item, depth + 1));
      return after.every((item, index) => Object.is(item, before[index])) ? value : new Set(after);
    }
    if (value instanceof Map) {
      const before = [...(value as ReadonlyMap<Value, Value>)];
      const after = before.map(
        ([key, item]) => [this.#strikeDeep(key, depth + 1), this.#strikeDeep(item, depth + 1)] as const,
      );
      const same = after.every(
        ([key, item], index) => Object.is(key, before[index]?.[0]) && Object.is(item, before[index]?.[1]),
      );
      return same ? value : new Map(after);
    }
    if (value instanceof Content) return this.#strikeContent(value);
    return isRecord(value) ? this.#strikeRecord(value, depth) : value;
  }

  #strikeList(list: readonly Value[], depth: number): Value {
    let copy: Value[] | undefined;
    list.forEach((item, index) => {
      const struck = this.#strikeDeep(item, depth + 1);
      if (Object.is(struck, item)) return;
      copy ??= list instanceof Tuple ? Tuple.from(list) : [...list];
      copy[index] = struck;
    });
    return copy ?? list;
  }

  #strikeRecord(record: Readonly<Record<string, Value>>, depth: number): Value {
    const before = Object.entries(record);
    const after = before.map(([key, item]) => [this.strikeText(key), this.#strikeDeep(item, depth + 1)] as const);
    const same = after.every(([key, item], index) => key === before[index]?.[0] && Object.is(item, before[index][1]));
    return same ? record : Object.fromEntries(after);
  }

  #strikeContent(content: Content): Content {
    const { kind, data } = content;
    const text = (field: string | undefined): string | undefined => field && this.strikeText(field);
    const struck = {
      mimeType: text(content.mimeType),
      data: data instanceof Uint8Array ? this.#strikeBytes(data) : text(data),
      uri: text(content.uri),
      name: text(content.name),
      description: text(content.description),
    };
    const same = Object.entries(struck).every(([key, field]) => Object.is(field, content[key as keyof typeof struck]));
    return same ? content : Object.assign(new Content({ kind }), struck);
  }

  /** Stars of the same length, so that what stands where in a binary value stays so. */
  #strikeBytes(bytes: Uint8Array): Uint8Array {
    if (bytes.byteLength > LARGEST_BYTES) return bytes;
    let copy: Uint8Array | undefined;
    for (const [form] of this.#ordered) {
      const needle = new TextEncoder().encode(form);
      for (let at = find(bytes, needle, 0); at >= 0; at = find(bytes, needle, at + needle.length)) {
        copy ??= bytes.slice();
        copy.fill("*".charCodeAt(0), at, at + needle.length);
      }
    }
    return copy ?? bytes;
  }
}

function markOf(name: string): string {
  return `[secret ${name}]`;
}

function find(bytes: Uint8Array, needle: Uint8Array, from: number): number {
  const [first] = needle;
  if (first === undefined) return -1;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (needle.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}
