import type { ContentFormat } from "../../src/protocol/index.js";
import { ContentFault } from "./content-fault.js";

interface Signature {
  /** As a person would say it. */
  readonly name: string;
  readonly formats: readonly ContentFormat[];
  matches(bytes: Uint8Array): boolean;
}

/** As a workbook too may begin, one that nothing here opens. */
const compound = signature("an old Office document, or one with a password", [], "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");

const signatures: readonly Signature[] = [
  signature("a PNG image", ["png"], "\x89PNG\r\n\x1a\n"),
  signature("a JPEG image", ["jpeg"], "\xff\xd8\xff"),
  signature("a GIF image", ["gif"], "GIF87a"),
  signature("a GIF image", ["gif"], "GIF89a"),
  {
    name: "a WebP image",
    formats: ["webp"],
    matches: (bytes) => begins(bytes, "RIFF") && begins(bytes.subarray(8), "WEBP"),
  },
  signature("a PDF document", ["pdf"], "%PDF-"),
  signature("a ZIP archive", ["zip", "xlsx"], "PK\x03\x04"),
  signature("an empty ZIP archive", ["zip", "xlsx"], "PK\x05\x06"),
  signature("a gzip file", [], "\x1f\x8b\x08"),
  signature("a 7z archive", [], "7z\xbc\xaf\x27\x1c"),
  compound,
  signature("an SQLite database", [], "SQLite format 3\0"),
  signature("a Parquet file", [], "PAR1"),
  signature("a WebAssembly module", [], "\0asm"),
];

function signature(name: string, formats: readonly ContentFormat[], start: string): Signature {
  return { name, formats, matches: (bytes) => begins(bytes, start) };
}

/** Whether bytes begin with characters below 256. */
export function begins(bytes: Uint8Array, start: string): boolean {
  for (let index = 0; index < start.length; index += 1) {
    if (bytes[index] !== start.charCodeAt(index)) return false;
  }
  return true;
}

/** What bytes begin like; undefined for what is known by no signature. */
export function nameOfSignature(bytes: Uint8Array): string | undefined {
  return signatures.find((each) => each.matches(bytes))?.name;
}

/** Formats that have a signature. */
const signed = new Set(signatures.flatMap(({ formats }) => formats));

/** @throws {ContentFault} where bytes begin like something else. @throws {Error} where they begin like nothing that is known. */
export function checkSignature(bytes: Uint8Array, format: ContentFormat): void {
  const found = signatures.find((each) => each.matches(bytes));
  if (found?.formats.includes(format) === true) return;
  if (found === compound && format === "xlsx") throw new Error(`it is ${found.name}`);
  if (found !== undefined) {
    throw new ContentFault("signature_mismatch", `it is said to be ${format}, and begins like ${found.name}`);
  }
  if (!signed.has(format)) return;
  throw new Error("it does not begin as a file of that format does");
}
