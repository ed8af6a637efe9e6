/** What the beginning of an image says. */
export interface ImageFacts {
  readonly format: "png" | "jpeg" | "gif" | "webp";
  readonly mime: string;
  /** Pixels; null where they cannot be read. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

/** Undefined for bytes that begin like no image that is known here. */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const format of ["png", "jpeg", "gif", "webp"] as const) {
    const { begins, sizeOf } = READERS[format];
    if (!begins(bytes)) continue;
    return { format, mime: `image/${format}`, size: sizeOrNull(() => sizeOf(view)) };
  }
  return undefined;
}

interface Reader {
  readonly begins: (bytes: Uint8Array) => boolean;
  /** @throws {RangeError} where it ends too early. */
  readonly sizeOf: (view: DataView) => Size | null;
}

type Size = NonNullable<ImageFacts["size"]>;

const READERS: Readonly<Record<ImageFacts["format"], Reader>> = {
  png: {
    begins: (bytes) => hasAt(bytes, 0, "\u0089PNG\r\n\u001a\n"),
    sizeOf: (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  },
  jpeg: { begins: (bytes) => hasAt(bytes, 0, "\u00ff\u00d8\u00ff"), sizeOf: jpegSize },
  gif: {
    begins: (bytes) => hasAt(bytes, 0, "GIF87a") || hasAt(bytes, 0, "GIF89a"),
    sizeOf: (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  },
  webp: { begins: (bytes) => hasAt(bytes, 0, "RIFF") && hasAt(bytes, 8, "WEBP"), sizeOf: webpSize },
};

function hasAt(bytes: Uint8Array, offset: number, text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (bytes[offset + at] !== text.charCodeAt(at)) return false;
  return true;
}

function sizeOrNull(read: () => Size | null): Size | null {
  try {
    const size = read();
    return size !== null && size.width > 0 && size.height > 0 ? size : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** From segment to segment until that of the frame. */
function jpegSize(view: DataView): Size | null {
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    // The data begin, or the image ends, and there was no frame.
    else if (marker === 0xda || marker === 0xd9) return null;
    else at += 2 + (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7) ? 0 : Math.max(2, view.getUint16(at + 2)));
  }
}

/** Start of frame, in any of its kinds; three others of that range are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Lossy, lossless, or with an extended header. */
function webpSize(view: DataView): Size | null {
  const kind = [12, 13, 14, 15].map((at) => String.fromCharCode(view.getUint8(at))).join("");
  if (kind === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind === "VP8L") {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== "VP8X") return null;
  const three = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000 + 1;
  return { width: three(24), height: three(27) };
}
