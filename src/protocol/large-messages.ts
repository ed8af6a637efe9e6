import { toBlob, type ContentForm } from "./content-blobs.js";
import { isLarge, isPlain, SMALL } from "./large-contents.js";

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

/** The message to post in place of one: where that is large, with blobs for all contents but small ones. */
export function withBlobs(message: unknown): unknown {
  if (!isLarge(message)) return message;
  const places: { place: Place; form: ContentForm }[] = [];
  const rest = replaceContents(message, [], (place, form) => places.push({ place, form }));
  return { type: "BLOBS", message: rest, places } satisfies BlobMessage;
}

function replaceContents(value: unknown, place: Place, note: (place: Place, form: ContentForm) => void): unknown {
  if ((typeof value === "string" || isBytes(value)) && value.length > SMALL) {
    const { blob, form } = toBlob(value);
    note(place, form);
    return blob;
  }
  if (Array.isArray(value)) return value.map((item, index) => replaceContents(item, [...place, index], note));
  if (!isPlain(value)) return value;
  const items = Object.entries(value);
  return Object.fromEntries(items.map(([key, item]) => [key, replaceContents(item, [...place, key], note)]));
}

function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array;
}

/** Whether `readBlobs` has to read something before the message is whole. */
export function hasBlobs(data: unknown): boolean {
  return typeof data === "object" && data !== null && "type" in data && data.type === "BLOBS";
}
