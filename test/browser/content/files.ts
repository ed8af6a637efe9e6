import { strToU8, zipSync, type Zippable } from "fflate";

import { Crc32 } from "../../../worker/content/crc32.js";

const addresses = import.meta.glob<string>("../../fixtures/content/*.*", {
  query: "?url",
  import: "default",
  eager: true,
});

/** A file that test/fixtures/content/make.py made. */
export async function fixture(name: string): Promise<Uint8Array> {
  const response = await fetch(addresses[`../../fixtures/content/${name}`]!);
  return new Uint8Array(await response.arrayBuffer());
}

/** Bytes of characters below 256. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

export function joined(...pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

/** Where a text begins in bytes. */
export function find(bytes: Uint8Array, text: string, from = 0): number {
  return new TextDecoder("latin1").decode(bytes).indexOf(text, from);
}

/** The file with other bytes at one place. */
export function patched(bytes: Uint8Array, at: number, ...others: readonly number[]): Uint8Array {
  const copy = bytes.slice();
  copy.set(others, at);
  return copy;
}

export function zip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const entries: Zippable = {};
  for (const [name, content] of Object.entries(files)) {
    entries[name] = typeof content === "string" ? strToU8(content) : content;
  }
  return zipSync(entries, { mtime: "1990-01-01" });
}

const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006/relationships";

/** The parts of a workbook with one sheet and two shared texts, by name. */
export const workbookParts: Readonly<Record<string, string>> = {
  "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
  "_rels/.rels": `<Relationships xmlns="${packages}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook xmlns:r="${office}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packages}"><Relationship Id="rId1" Type="${office}/worksheet" Target="/xl/worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
  "xl/worksheets/sheet1.xml": `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>7</v></c></row></sheetData></worksheet>`,
  "xl/sharedStrings.xml": `<sst><si><t>a</t></si><si><t>b</t></si></sst>`,
};

const PNG_START = latin1("\x89PNG\r\n\x1a\n");

export interface PngChunk {
  readonly type: string;
  readonly data: Uint8Array;
}

/** A PNG file of chunks whose checksums are right, whatever is in them. */
export function png(...chunks: readonly PngChunk[]): Uint8Array {
  const framed = chunks.map(({ type, data }) => {
    const named = joined(latin1(type), data);
    return joined(uint32(data.length), named, uint32(new Crc32().add(named).value));
  });
  return joined(PNG_START, ...framed);
}

/** The chunk that begins an image: eight bits of grey by default. */
export function pngHeader(width: number, height: number, rest: readonly number[] = [8, 0, 0, 0, 0]): PngChunk {
  return { type: "IHDR", data: joined(uint32(width), uint32(height), Uint8Array.from(rest)) };
}

export const pngEnd: PngChunk = { type: "IEND", data: new Uint8Array() };

function uint32(number: number): Uint8Array {
  return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
}

/** A PDF file of numbered objects, the first of which is its catalog. */
export function pdf(...objects: readonly (string | Uint8Array)[]): Uint8Array {
  const pieces: Uint8Array[] = [latin1("%PDF-1.4\n")];
  const length = (): number => pieces.reduce((sum, piece) => sum + piece.length, 0);
  const places = objects.map((object, index) => {
    const place = length();
    const body = typeof object === "string" ? latin1(object) : object;
    pieces.push(latin1(`${String(index + 1)} 0 obj\n`), body, latin1("\nendobj\n"));
    return place;
  });
  const start = length();
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const size = String(objects.length + 1);
  pieces.push(latin1(`xref\n0 ${size}\n0000000000 65535 f \n${table}`));
  pieces.push(latin1(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${String(start)}\n%%EOF\n`));
  return joined(...pieces);
}

export const catalog = "<< /Type /Catalog /Pages 2 0 R >>";
