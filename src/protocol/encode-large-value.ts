import { countParts, weighBySize } from "./count-parts.js";
import { toBlobInSlices } from "./content-blobs.js";
import { isLarge, SMALL, type Content as LargeContent } from "./large-contents.js";
import type { SentValue } from "./messages.js";
import { Slices } from "./slices.js";
import { stepped, type Steps } from "./stepped.js";
import { textPieces } from "./text-bytes.js";
import { Content, Tuple, type Value } from "./value.js";
import { Encoder, isTypedArray, looksTagged, type Wire } from "./value-codec.js";

/** Parts that are written in one go. */
const FEW = 500;

/** Characters of a text that are. */
const CHARACTERS = 100_000;

/**
 * Writes a value of any size, as `encodeValue` does, in slices: a list of millions would stop the page.
 *
 * @throws {ValueNotTransferableError} as that does.
 */
export async function encodeLargeValue(value: Value): Promise<SentValue> {
  const writer = new JsonWriter();
  const slices = new Slices();
  const text = await stepped(writer.write(value, "value", 0), slices);
  const isMuch = isLarge([text, ...writer.encoder.buffers]);
  const sent = async <Part extends LargeContent>(content: Part): Promise<Part | Blob> => {
    await slices.rest();
    return isMuch && content.length > SMALL ? await toBlobInSlices(content, slices) : content;
  };
  const buffers: (Uint8Array<ArrayBuffer> | Blob)[] = [];
  for (const bytes of writer.encoder.buffers) {
    const part = await sent(bytes);
    buffers.push(part instanceof Blob ? part : new Uint8Array(part));
  }
  return { text: await sent(text), buffers };
}

/** Writes the text of a value, some parts at a time. */
class JsonWriter {
  readonly encoder = new Encoder({ copies: false });

  *write(value: Value, path: string, depth: number): Steps<string> {
    if (typeof value === "string" && value.length > CHARACTERS) return yield* this.#text(value);
    if (typeof value !== "object" || value === null || isWhole(value) || countFew(value) <= FEW) {
      return JSON.stringify(this.encoder.encode(value, path, depth));
    }
    yield;
    this.encoder.enter(value, path, depth);
    try {
      return yield* this.#container(value, path, depth + 1);
    } finally {
      this.encoder.leave(value);
    }
  }

  *#text(text: string): Steps<string> {
    let written = '"';
    for (const piece of textPieces(text, CHARACTERS)) {
      written += JSON.stringify(piece).slice(1, -1);
      yield;
    }
    return `${written}"`;
  }

  *#container(value: object, path: string, depth: number): Steps<string> {
    const list = (items: Iterable<Value>): Steps<string> => this.#list(items, path, depth);
    if (value instanceof Tuple) return `{"$tuple":${yield* list(value)}}`;
    if (Array.isArray(value)) return yield* list(value as Value[]);
    if (isTypedArray(value)) return yield* list(Array.from(value));
    if (value instanceof Set) return `{"$set":${yield* list(value as Set<Value>)}}`;
    if (value instanceof Map) return `{"$map":${yield* this.#map(value as Map<Value, Value>, path, depth)}}`;
    const text = yield* this.#record(value as Record<string, Value>, path, depth);
    return looksTagged(value) ? `{"$dict":${text}}` : text;
  }

  *#list(items: Iterable<Value>, path: string, depth: number): Steps<string> {
    const texts: string[] = [];
    let few: Wire[] = [];
    let parts = 0;
    let index = 0;
    const writeFew = (): void => {
      if (few.length > 0) texts.push(JSON.stringify(few).slice(1, -1));
      few = [];
      parts = 0;
    };
    for (const item of items) {
      const place = `${path}[${String(index)}]`;
      const count = countFew(item);
      if (parts + count > FEW) {
        writeFew();
        yield;
      }
      if (count > FEW) {
        texts.push(yield* this.write(item, place, depth));
      } else {
        few.push(this.encoder.encode(item, place, depth));
        parts += count;
      }
      index += 1;
    }
    writeFew();
    return `[${texts.join(",")}]`;
  }

  *#map(map: ReadonlyMap<Value, Value>, path: string, depth: number): Steps<string> {
    const texts: string[] = [];
    let parts = 0;
    for (const [key, item] of map) {
      const pair = [yield* this.write(key, `${path}[${String(texts.length)}]`, depth)];
      pair.push(yield* this.write(item, `${path}[${String(texts.length)}]`, depth));
      texts.push(`[${pair.join(",")}]`);
      parts += countFew(key) + countFew(item);
      if (parts > FEW) yield;
      parts %= FEW;
    }
    return `[${texts.join(",")}]`;
  }

  *#record(record: Readonly<Record<string, Value>>, path: string, depth: number): Steps<string> {
    const texts: string[] = [];
    let parts = 0;
    for (const [key, item] of Object.entries(record)) {
      texts.push(`${JSON.stringify(key)}:${yield* this.write(item, `${path}.${key}`, depth)}`);
      parts += countFew(key) + countFew(item);
      if (parts > FEW) yield;
      parts %= FEW;
    }
    return `{${texts.join(",")}}`;
  }
}

/** What the encoder writes as one. */
function isWhole(value: object): boolean {
  const isBytes = value instanceof Uint8Array || value instanceof ArrayBuffer || value instanceof DataView;
  return isBytes || value instanceof Content;
}

function countFew(value: Value): number {
  return countParts(value, FEW, weighBySize);
}
