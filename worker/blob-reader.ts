// Kept from before any session code ran, which may remove or replace it.
const Request = self.XMLHttpRequest;

/** Whether a blob URL has not been revoked. Blocks for the time of one request. */
export function isAlive(url: string): boolean {
  return read(url, "") !== undefined;
}

/** What lies at a blob URL; undefined when it was revoked. Blocks until it is read. */
export function readBlob(url: string): Uint8Array<ArrayBuffer> | undefined {
  const content = read(url, "arraybuffer");
  return content instanceof ArrayBuffer ? new Uint8Array(content) : undefined;
}

function read(url: string, type: XMLHttpRequestResponseType): unknown {
  const request = new Request();
  try {
    request.open("GET", url, false);
    request.responseType = type;
    request.send();
  } catch {
    // A revoked URL fails as a network error does.
    return undefined;
  }
  return request.status === 200 ? request.response : undefined;
}
