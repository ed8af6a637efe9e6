import { EVENT_ID, getScalarValue, type Event } from "js-yaml";

/** Where the parts of a YAML text are, by the parser's events. */
export class YamlPositions {
  readonly #text: string;
  readonly #events: readonly Event[];
  /** For the event that begins a node: the one after its end. Made with the first question. */
  #ends: Uint32Array | undefined;
  /** Characters before each line. */
  #lines: number[] | undefined;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  /** The line of a part, by its JSON pointer; where there is no such part, of what should hold it. */
  lineOf(pointer: string): number | undefined {
    const ends = (this.#ends ??= endsOf(this.#events));
    // The first event begins the document, the second its node.
    let node = 1;
    let offset = offsetOf(this.#events[node]);
    for (const part of pointer.split("/").slice(1)) {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      const found = this.#childOf(node, key, ends);
      if (found === undefined) break;
      offset = found.offset ?? offset;
      node = found.node;
    }
    return offset === undefined ? undefined : this.lineAt(offset);
  }

  /** The line that holds the character after so many others. */
  lineAt(offset: number): number {
    const lines = (this.#lines ??= linesOf(this.#text));
    let first = 0;
    let last = lines.length;
    while (last - first > 1) {
      const middle = (first + last) >> 1;
      if ((lines[middle] ?? 0) <= offset) first = middle;
      else last = middle;
    }
    return first + 1;
  }

  #childOf(
    node: number,
    key: string,
    ends: Uint32Array,
  ): { readonly node: number; readonly offset: number | undefined } | undefined {
    const kind = this.#events[node]?.type;
    if (kind !== EVENT_ID.MAPPING && kind !== EVENT_ID.SEQUENCE) return undefined;
    const end = (ends[node] ?? 0) - 1;
    let index = 0;
    for (let at = node + 1; at < end; index += 1) {
      const value = kind === EVENT_ID.MAPPING ? (ends[at] ?? end) : at;
      const isMeant = kind === EVENT_ID.MAPPING ? this.#isKey(at, key) : String(index) === key;
      if (isMeant) return { node: value, offset: offsetOf(this.#events[at]) };
      at = ends[value] ?? end;
    }
    return undefined;
  }

  #isKey(node: number, key: string): boolean {
    const event = this.#events[node];
    return event?.type === EVENT_ID.SCALAR && getScalarValue(this.#text, event) === key;
  }
}

function endsOf(events: readonly Event[]): Uint32Array {
  const ends = new Uint32Array(events.length);
  const open: number[] = [];
  for (const [at, { type }] of events.entries()) {
    if (type === EVENT_ID.POP) ends[open.pop() ?? at] = at + 1;
    else if (type === EVENT_ID.SCALAR || type === EVENT_ID.ALIAS) ends[at] = at + 1;
    else open.push(at);
  }
  return ends;
}

function linesOf(text: string): number[] {
  const lines = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.push(at + 1);
  return lines;
}

function offsetOf(event: Event | undefined): number | undefined {
  if (event === undefined) return undefined;
  if (event.type === EVENT_ID.SCALAR) return event.valueStart < 0 ? undefined : event.valueStart;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
  return "start" in event ? event.start : undefined;
}
