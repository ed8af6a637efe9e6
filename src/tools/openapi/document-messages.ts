/** What the page asks of the worker that reads documents. */
export type DocumentRequest =
  /** A part of the text; the parts come in order, and `parse` after the last. */
  | { readonly kind: "content"; readonly content: string | Uint8Array }
  | { readonly kind: "parse"; readonly source: string }
  /** The page has taken a message of pieces, and what else it had to do. */
  | { readonly kind: "more" }
  | { readonly kind: "lines"; readonly pointers: readonly string[] };

/** A part of the document, as JSON, and the keys that lead to it. */
export type DocumentPiece = readonly [path: readonly string[], json: string];

export type DocumentReply =
  | { readonly kind: "pieces"; readonly pieces: readonly DocumentPiece[] }
  | { readonly kind: "parsed" }
  | { readonly kind: "lines"; readonly lines: readonly (number | null)[] }
  | { readonly kind: "failed"; readonly reason: string; readonly line: number | null };

/** Characters of JSON in one message: the page parses them in less than a millisecond. */
const MESSAGE_SIZE = 50_000;

/** The document in messages, none of which holds the page's thread for long. */
export function* piecesOf(root: Readonly<Record<string, unknown>>): Generator<DocumentPiece[]> {
  let pieces: DocumentPiece[] = [];
  let size = 0;
  for (const [path, value] of parts(root)) {
    const json = JSON.stringify(value) as string | undefined;
    if (json === undefined) continue;
    if (size > 0 && size + json.length > MESSAGE_SIZE) {
      yield pieces;
      pieces = [];
      size = 0;
    }
    pieces.push([path, json]);
    size += json.length;
  }
  yield pieces;
}

/** Inserts a piece where it belongs. Keys are foreign text, so none is assigned to. */
export function insertPiece(root: Record<string, unknown>, [path, json]: DocumentPiece): void {
  let target = root;
  for (const [index, key] of path.entries()) {
    const isLast = index === path.length - 1;
    const own = Object.hasOwn(target, key) ? target[key] : undefined;
    const value: unknown = isLast ? JSON.parse(json) : (own ?? {});
    if (own === undefined)
      Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
    if (isRecord(value)) target = value;
  }
}

function* parts(root: Readonly<Record<string, unknown>>): Generator<readonly [path: string[], value: unknown]> {
  for (const [key, value] of Object.entries(root)) {
    // Descriptions of other people's calls to us: nothing refers to them as a rule, and they can be large.
    if (key === "webhooks") continue;
    if ((key === "paths" || key === "components") && isRecord(value)) {
      yield [[key], {}];
      for (const [inner, part] of Object.entries(value)) {
        if (key === "paths" || !isRecord(part)) yield [[key, inner], part];
        else {
          yield [[key, inner], {}];
          for (const [name, item] of Object.entries(part)) yield [[key, inner, name], item];
        }
      }
    } else yield [[key], value];
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
