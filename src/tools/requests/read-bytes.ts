/** The beginning of an answer, and whether that is all of it. */
export interface ReadBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isWhole: boolean;
}

/**
 * Reads an answer until there are more bytes than `maxBytes`; the connection is let go then. One that announces more is
 * not read at all, unless its beginning is wanted.
 */
export async function readBytes(
  response: Response,
  maxBytes: number,
  { wantsBeginning = false }: { readonly wantsBeginning?: boolean } = {},
): Promise<ReadBytes> {
  const announcesMore = Number(response.headers.get("content-length") ?? 0) > maxBytes;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  // What is announced is the size on the way: a compressed answer has more.
  while (reader !== undefined && size <= maxBytes && (size > 0 || !announcesMore || wantsBeginning)) {
    const { done, value } = await reader.read();
    if (done) return { bytes: joined(pieces, size), isWhole: true };
    pieces.push(value);
    size += value.byteLength;
  }
  if (reader === undefined) return { bytes: new Uint8Array(), isWhole: true };
  await reader.cancel();
  return { bytes: joined(pieces, size).subarray(0, maxBytes), isWhole: false };
}

function joined(pieces: readonly Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer> {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.byteLength;
  }
  return all;
}
