// Kept from before any session code ran, which may remove or replace it.
const Request = self.XMLHttpRequest;

/** Bytes that are asked for at a time: WebKit hands them to a worker in the page's thread, all of an answer in one go. */
const PIECE = 2 ** 23;

/** Whether a blob URL has not been revoked. Blocks for the time of one request. */
export function isAlive(url: string): boolean {
  return read(url, "") !== undefined;
}

/** What lies at a blob URL; undefined when it was revoked. Blocks until it is read. */
export function readBlob(url: string): Uint8Array<ArrayBuffer> | undefined {
  const first = readPiece(url, 0);
  if (first === undefined || first.bytes.byteLength === first.size) return first?.bytes;
  const whole = new Uint8Array(first.size);
  whole.set(first.bytes);
  for (let at = first.bytes.byteLength; at < first.size; at += PIECE) {
    const piece = readPiece(url, at);
    if (piece === undefined) return undefined;
    whole.set(piece.bytes, at);
  }
  return whole;
}

interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the whole blob. */
  readonly size: number;
}

function readPiece(url: string, at: number): Piece | undefined {
  const request = read(url, "arraybuffer", `bytes=${String(at)}-${String(at + PIECE - 1)}`);
  if (request === undefined || !(request.response instanceof ArrayBuffer)) return undefined;
  const bytes = new Uint8Array(request.response);
  const size = Number(request.getResponseHeader("Content-Range")?.split("/")[1]);
  return { bytes, size: request.status === 206 ? size : bytes.byteLength };
}

function read(url: string, type: XMLHttpRequestResponseType, range?: string): XMLHttpRequest | undefined {
  const request = new Request();
  try {
    request.open("GET", url, false);
    request.responseType = type;
    if (range !== undefined) request.setRequestHeader("Range", range);
    request.send();
  } catch {
    // A revoked URL fails as a network error does.
    return undefined;
  }
  return request.status === 200 || request.status === 206 ? request : undefined;
}
