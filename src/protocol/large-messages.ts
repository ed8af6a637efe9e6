import { z } from "zod";

import { ProtocolViolationError } from "./errors.js";
import { fromBlob, isLarge, toBlob, type ContentForm } from "./large-contents.js";

/**
 * Long texts and many bytes leave the worker as blobs. A browser rebuilds a message in one go, before any code of the page
 * has its turn: a file of a hundred megabytes would stop the page meanwhile. A blob crosses by reference, and is read piece
 * by piece.
 */

/** Keys and indices that lead to something in a message. */
type Place = readonly (string | number)[];

interface BlobMessage {
  readonly type: "BLOBS";
  readonly message: unknown;
  /** Where the blobs are in it. */
  readonly places: readonly { readonly place: Place; readonly form: ContentForm }[];
}

/** The message to post in place of one, with a blob for each large content. */
export function withBlobs(message: unknown): unknown {
  if (!hasLarge(message)) return message;
  const places: { place: Place; form: ContentForm }[] = [];
  const rest = replaceLarge(message, [], (place, form) => places.push({ place, form }));
  return { type: "BLOBS", message: rest, places } satisfies BlobMessage;
}

function hasLarge(value: unknown): boolean {
  if (isLarge(value)) return true;
  if (Array.isArray(value)) return value.some(hasLarge);
  return isPlain(value) && Object.values(value).some(hasLarge);
}

function replaceLarge(value: unknown, place: Place, note: (place: Place, form: ContentForm) => void): unknown {
  if (isLarge(value)) {
    const { blob, form } = toBlob(value);
    note(place, form);
    return blob;
  }
  if (Array.isArray(value)) return value.map((item, index) => replaceLarge(item, [...place, index], note));
  if (!isPlain(value)) return value;
  const items = Object.entries(value);
  return Object.fromEntries(items.map(([key, item]) => [key, replaceLarge(item, [...place, key], note)]));
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

const BlobMessageSchema: z.ZodType<BlobMessage> = z.strictObject({
  type: z.literal("BLOBS"),
  message: z.unknown(),
  places: z
    .array(
      z.strictObject({
        place: z.array(z.union([z.string(), z.number()])).max(20),
        form: z.enum(["bytes", "text", "units"]),
      }),
    )
    .max(20_000),
});

/** Whether {@link readBlobs} has to read something before the message is whole. */
export function hasBlobs(data: unknown): boolean {
  return typeof data === "object" && data !== null && "type" in data && data.type === "BLOBS";
}

/**
 * The message that {@link withBlobs} was given.
 * @throws {ProtocolViolationError} for a message of another form.
 * @throws {DOMException} when a blob cannot be read: its worker is gone, for instance.
 */
export async function readBlobs(data: unknown): Promise<unknown> {
  const { message, places } = BlobMessageSchema.safeParse(data).data ?? misfit();
  for (const { place, form } of places) {
    const { holder, key } = find(message, place);
    const blob: unknown = Reflect.get(holder, key);
    const value = blob instanceof Blob ? await fromBlob({ blob, form }) : misfit();
    // Not an assignment: the worker says what the key is.
    Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return message;
}

function find(message: unknown, place: Place): { readonly holder: object; readonly key: string | number } {
  let holder = message;
  for (const step of place.slice(0, -1)) holder = Reflect.get(containerWith(holder, step), step);
  const key = place.at(-1) ?? misfit();
  return { holder: containerWith(holder, key), key };
}

/** Never what it inherits. */
function containerWith(holder: unknown, step: string | number): object {
  return typeof holder === "object" && holder !== null && Object.hasOwn(holder, step) ? holder : misfit();
}

function misfit(): never {
  throw new ProtocolViolationError("a message with blobs of another form");
}
