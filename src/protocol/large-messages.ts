import { toBlob, type ContentForm } from "./content-blobs.js";
import { isLarge, isPlain, PIECE, SMALL, type Content } from "./large-contents.js";

/**
 * Long texts and many bytes leave the worker as blobs. A browser rebuilds a message in one go, before any code of the page
 * has its turn: a file of a hundred megabytes would stop the page meanwhile. A blob crosses by reference, and is read piece
 * by piece.
 */

/** Keys and indices that lead to something in a message. */
export type Place = readonly (string | number)[];

/** A message with blobs in it, as it is posted. */
export interface BlobMessage {
  readonly type: "BLOBS";
  readonly message: unknown;
  /** Where the blobs are in it. */
  readonly places: readonly { readonly place: Place; readonly form: ContentForm }[];
}

/**
 * The message to post in place of one: where that is large, with blobs for all contents but small ones.
 *
 * @param pause - Waits for a moment, now and then, so that the page goes on: WebKit hands blobs on in the page's thread, all
 *   that wait there in one go.
 */
export function withBlobs(message: unknown, pause: () => void): unknown {
  if (!isLarge(message)) return message;
  const places: { place: Place; form: ContentForm }[] = [];
  let size = 0;
  const onPiece = (more: number): void => {
    size += more;
    if (size < PIECE) return;
    size = 0;
    pause();
  };
  const rest = replaceContents(message, [], (content, place) => {
    const { blob, form } = toBlob(content, onPiece);
    places.push({ place, form });
    return blob;
  });
  return { type: "BLOBS", message: rest, places } satisfies BlobMessage;
}

function replaceContents(value: unknown, place: Place, replace: (content: Content, place: Place) => Blob): unknown {
  if ((typeof value === "string" || isBytes(value)) && value.length > SMALL) return replace(value, place);
  if (Array.isArray(value)) return value.map((item, index) => replaceContents(item, [...place, index], replace));
  if (!isPlain(value)) return value;
  const items = Object.entries(value);
  return Object.fromEntries(items.map(([key, item]) => [key, replaceContents(item, [...place, key], replace)]));
}

function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array;
}

/** Whether `readBlobs` has to read something before the message is whole. */
export function hasBlobs(data: unknown): boolean {
  return typeof data === "object" && data !== null && "type" in data && data.type === "BLOBS";
}
