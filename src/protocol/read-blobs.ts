import { z } from "zod";

import { ProtocolViolationError } from "./errors.js";
import { fromBlob } from "./content-blobs.js";
import type { BlobMessage, Place } from "./large-messages.js";

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

/** Bytes of all blobs of a message. Python's heap is smaller, unless a page says otherwise. */
const LARGEST = 2 ** 31;

/**
 * The message that `withBlobs` was given.
 * @throws {ProtocolViolationError} for a message of another form.
 * @throws {DOMException} when a blob cannot be read: its worker is gone, for instance.
 * @throws the signal's reason when it is aborted.
 */
export async function readBlobs(data: unknown, signal: AbortSignal): Promise<unknown> {
  const { message, places } = BlobMessageSchema.safeParse(data).data ?? misfit();
  const found = places.map(({ place, form }) => {
    const { holder, key } = find(message, place);
    const blob: unknown = Reflect.get(holder, key);
    return { holder, key, form, blob: blob instanceof Blob ? blob : misfit() };
  });
  // One blob in many places, or many times in another, takes the worker no room.
  if (found.reduce((sum, { blob }) => sum + blob.size, 0) > LARGEST) misfit();
  for (const { holder, key, form, blob } of found) {
    const value = await fromBlob({ blob, form }, signal);
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
