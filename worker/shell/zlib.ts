import { gunzipSync as gunzip, gzipSync as gzip, type GzipOptions } from "fflate";

// In place of Node's module of this name, for the shell's gzip, gunzip, zcat and `rg -z`.

export const constants = { Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9, Z_DEFAULT_COMPRESSION: 6 } as const;

export function gzipSync(data: Uint8Array, { level = 6 }: { readonly level?: GzipOptions["level"] } = {}): Uint8Array {
  return gzip(data, { level });
}

/** @throws {RangeError} when the content is larger than `maxOutputLength` bytes. */
export function gunzipSync(
  data: Uint8Array,
  { maxOutputLength = Number.POSITIVE_INFINITY }: { readonly maxOutputLength?: number } = {},
): Uint8Array {
  const content = gunzip(data);
  if (content.byteLength > maxOutputLength)
    throw new RangeError(`the content is larger than ${String(maxOutputLength)} bytes`);
  return content;
}
