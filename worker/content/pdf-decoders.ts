import { decodePDFRawStream, PDFContext, PDFDict, PDFName, PDFRawStream } from "@cantoo/pdf-lib";

import { ContentFault } from "./content-fault.js";

interface Decoder {
  /** Makes room for so many bytes, and returns it. */
  ensureBuffer: (bytes: number) => Uint8Array;
}

/** What the decoders may unpack, and whether one wanted more. */
interface Bound {
  readonly limit: number;
  fault: ContentFault | undefined;
}

const unlimited: Bound = { limit: Infinity, fault: undefined };

let current = unlimited;

/**
 * Lets the parser of PDF work while none of its decoders makes more than so many bytes of one stream. The parser itself
 * knows no limit, and takes an error of a decoder for a mistake of the object.
 *
 * @throws {ContentFault} where one wanted more; else what `work` throws.
 */
export async function limitDecoders<T>(limit: number, work: () => Promise<T>): Promise<T> {
  const own: Bound = { limit, fault: undefined };
  current = own;
  try {
    const result = await work();
    throwFault(own);
    return result;
  } catch (error) {
    throwFault(own);
    throw error;
  } finally {
    current = unlimited;
  }
}

function throwFault({ fault }: Bound): void {
  if (fault !== undefined) throw fault;
}

/** All decoders, of whichever filter, get their room from one method that they inherit. */
function watchDecoders(): void {
  const dict = PDFDict.withContext(PDFContext.create());
  dict.set(PDFName.of("Filter"), PDFName.of("FlateDecode"));
  const decoder = decodePDFRawStream(PDFRawStream.of(dict, Uint8Array.of(0x78, 0x9c)));
  const shared: unknown = Object.getPrototypeOf(Object.getPrototypeOf(decoder));
  if (!isDecoder(shared)) throw new Error("The decoders of PDF streams have changed, and nothing would limit them.");
  const makeRoom = shared.ensureBuffer;
  shared.ensureBuffer = function (this: Decoder, bytes) {
    if (bytes > current.limit) {
      current.fault = new ContentFault(
        "expands_too_much",
        `a stream of it unpacks to more than ${String(current.limit)} bytes`,
      );
      throw current.fault;
    }
    return makeRoom.call(this, bytes);
  };
}

function isDecoder(value: unknown): value is Decoder {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "ensureBuffer");
}

watchDecoders();
