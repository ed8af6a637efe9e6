/** What was done on the page's thread between two of its turns. */
export interface Work {
  /** Characters of JSON that were read, and values made of them. */
  readText: number;
  readParts: number;
  /** Characters of JSON that were written. */
  writtenText: number;
  /** Bytes made of text, and characters made of bytes. */
  decoded: number;
  encoded: number;
  /** Characters of HTML or SVG that were parsed. */
  markup: number;
  /** Nodes of documents that were gone through. */
  nodes: number;
}

export interface Measured {
  /** The most that was done between two turns, of each kind. */
  readonly most: Work;
  /** Turns that the page had. */
  readonly turns: number;
  /** How often work gave the thread away before it was done. */
  readonly yields: number;
  /** The most of these in a row with no turn of the page's between them. */
  readonly unheard: number;
  /** Milliseconds between two turns, at the most. */
  readonly longest: number;
}

const none = (): Work => ({ readText: 0, readParts: 0, writtenText: 0, decoded: 0, encoded: 0, markup: 0, nodes: 0 });

/**
 * Counts what the page's thread does, by what it asks of the browser. A turn is the time between two messages that the page
 * sends itself: whatever else waits has its turn among them.
 */
export class Meter {
  #now = none();
  #most = none();
  #turns = 0;
  #yields = 0;
  #inARow = 0;
  #unheard = 0;
  #longest = 0;
  #last = 0;
  #isOn = false;

  /** Begins to count in this page. */
  watch(): void {
    const lengthOf = (text: unknown): number => (typeof text === "string" ? text.length : 0);
    const sizeOf = (bytes: unknown): number =>
      ArrayBuffer.isView(bytes) || bytes instanceof ArrayBuffer ? bytes.byteLength : 0;
    this.#count(JSON, "parse", ([text], value) => {
      this.#now.readText += lengthOf(text);
      if (this.#isOn) this.#now.readParts += partsOf(value);
    });
    this.#count(JSON, "stringify", (_args, text) => {
      this.#now.writtenText += lengthOf(text);
    });
    this.#count(TextDecoder.prototype, "decode", ([bytes]) => {
      this.#now.decoded += sizeOf(bytes);
    });
    this.#count(TextEncoder.prototype, "encode", ([text]) => {
      this.#now.encoded += lengthOf(text);
    });
    this.#count(TextEncoder.prototype, "encodeInto", ([text]) => {
      this.#now.encoded += lengthOf(text);
    });
    this.#count(DOMParser.prototype, "parseFromString", ([text]) => {
      this.#now.markup += lengthOf(text);
    });
    this.#count(Document.prototype, "write", ([text]) => {
      this.#now.markup += lengthOf(text);
    });
    this.#count(NodeIterator.prototype, "nextNode", () => {
      this.#now.nodes += 1;
    });
  }

  /** Counts from now on. Call what it returns to end that. */
  begin(): () => Measured {
    this.#now = none();
    this.#most = none();
    this.#turns = 0;
    this.#yields = 0;
    this.#inARow = 0;
    this.#unheard = 0;
    this.#longest = 0;
    this.#last = performance.now();
    this.#isOn = true;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      this.#turn();
      port2.postMessage(null);
    };
    port2.postMessage(null);
    return () => {
      this.#turn();
      this.#isOn = false;
      port1.close();
      return {
        most: this.#most,
        turns: this.#turns,
        yields: this.#yields,
        unheard: this.#unheard,
        longest: this.#longest,
      };
    };
  }

  /** Milliseconds between two turns, at the most, so far. */
  get longest(): number {
    return this.#longest;
  }

  /** Work is about to give the thread away. */
  yielded(): void {
    this.#yields += 1;
    this.#inARow += 1;
    this.#unheard = Math.max(this.#unheard, this.#inARow);
  }

  /** Has calls of a function of the browser counted. */
  #count(owner: object, name: string, note: (args: readonly unknown[], value: unknown) => void): void {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== "function") throw new Error(`The browser has no ${name}.`);
    Reflect.set(owner, name, function (this: unknown, ...args: unknown[]): unknown {
      const value: unknown = Reflect.apply(original, this, args);
      note(args, value);
      return value;
    });
  }

  #turn(): void {
    this.#turns += 1;
    this.#inARow = 0;
    const now = performance.now();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
    for (const kind of Object.keys(this.#now) as (keyof Work)[]) {
      this.#most[kind] = Math.max(this.#most[kind], this.#now[kind]);
    }
    this.#now = none();
  }
}

/** Values in one that are counted: more are too many in any case. */
const MOST_PARTS = 2_000_000;

/** Values in a value of JSON. */
function partsOf(value: unknown): number {
  let parts = 0;
  const waiting = [value];
  while (waiting.length > 0 && parts < MOST_PARTS) {
    const part = waiting.pop();
    parts += 1;
    if (typeof part === "object" && part !== null) for (const item of Object.values(part)) waiting.push(item);
  }
  return parts;
}
