import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFParser,
  PDFRawStream,
  PDFRef,
  type PDFContext,
} from "@cantoo/pdf-lib";

import type { ContentFacts } from "../../src/protocol/index.js";
import { ContentFault } from "./content-fault.js";
import { Expansion, unpack } from "./expansion.js";
import type { Look } from "./look.js";
import { limitDecoders } from "./pdf-decoders.js";

/** Bytes at the end of a file in which it must say that it ends. */
const TAIL = 1024;

/** All objects are parsed, compressed streams unpacked, and the pages counted. What stands on them is not drawn. */
export async function readPdf(bytes: Uint8Array, look: Look): Promise<ContentFacts> {
  // One character for each byte, so that places in the one are places in the other.
  const text = new TextDecoder("latin1").decode(bytes);
  const tail = text.slice(-TAIL);
  if (!tail.includes("%%EOF")) throw new Error("it ends without its end mark (%%EOF), so a part of it is missing");
  const offset = Number(/startxref\s+(\d+)\s+%%EOF(?![^]*%%EOF)/.exec(tail)?.[1] ?? Number.NaN);
  if (!/^\s*(?:xref\b|\d+\s+\d+\s+obj\b)/.test(text.slice(offset, offset + 100)) || Number.isNaN(offset)) {
    look.odd("damaged_index", "its table of objects is not where it says; most programs repair that as they read it");
  }
  measureStreams(bytes, text, look);
  const context = await limitDecoders(look.limits.expandedBytes, () => parse(bytes, text));
  checkStreams(context, new Expansion(bytes.length, look.limits));
  const pages = countPages(context, look);
  if (pages === 0) throw new Error("it has no pages");
  return { format: "pdf", version: /%PDF-(\d+\.\d+)/.exec(text)?.[1] ?? "", pages };
}

async function parse(bytes: Uint8Array, text: string): Promise<PDFContext> {
  const encrypted = new ContentFault("encrypted", "it is encrypted, so nobody can tell what is in it");
  try {
    // Without pauses: this thread has nothing else to do.
    const context = await PDFParser.forBytesWithOptions(bytes, Infinity, true).parseDocument();
    if (context.trailerInfo.Encrypt !== undefined) throw encrypted;
    return context;
  } catch (error) {
    throw /\/Encrypt\s+\d+\s+\d+\s+R/.test(text) ? encrypted : error;
  }
}

/**
 * What looks like a compressed stream is unpacked before the parser sees it, for what all of them come to together: of
 * one stream alone its decoders are limited. What is damaged is left to it.
 */
function measureStreams(bytes: Uint8Array, text: string, look: Look): void {
  const expansion = new Expansion(bytes.length, look.limits);
  for (let at = text.indexOf("stream"); at !== -1; at = text.indexOf("stream", at)) {
    const start = at + "stream".length + (text[at + 6] === "\r" ? 2 : 1);
    const end = text.indexOf("endstream", start);
    if (end === -1) return;
    at = end + "endstream".length;
    if (isZlib(bytes, start)) unpackWithin(bytes.subarray(start, end), expansion);
  }
}

function isZlib(bytes: Uint8Array, at: number): boolean {
  const [method = 0, flags = 0] = bytes.subarray(at, at + 2);
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0;
}

function unpackWithin(packed: Uint8Array, expansion: Expansion): void {
  try {
    unpack(packed, "zlib", ({ length }) => {
      expansion.add(length);
    });
  } catch (error) {
    if (error instanceof ContentFault) throw error;
  }
}

const FLATE = PDFName.of("FlateDecode");

function checkStreams(context: PDFContext, expansion: Expansion): void {
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream) || object.dict.get(PDFName.of("Filter")) !== FLATE) continue;
    try {
      unpack(object.getContents(), "zlib", ({ length }) => {
        expansion.add(length);
      });
    } catch (error) {
      if (error instanceof ContentFault) throw error;
      throw new Error(`the data of its object ${String(ref.objectNumber)} is damaged`, { cause: error });
    }
  }
}

function countPages(context: PDFContext, look: Look): number {
  const catalog = context.lookup(context.trailerInfo.Root);
  if (!(catalog instanceof PDFDict)) throw new Error("it has no catalog, so nobody finds its pages");
  const root = catalog.get(PDFName.of("Pages"));
  const seen = new Set<PDFRef>();
  let pages = 0;
  // Without recursion, and each once: the tree of pages may be nested at will, or bite its tail.
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next instanceof PDFRef) {
      if (seen.has(next)) throw new Error("its tree of pages goes round in a circle");
      seen.add(next);
    }
    const node = context.lookup(next);
    if (!(node instanceof PDFDict)) throw new Error("a page of it is missing");
    const kids = node.lookup(PDFName.of("Kids"));
    if (!(kids instanceof PDFArray)) pages += 1;
    else for (let index = 0; index < kids.size(); index += 1) waiting.push(kids.get(index));
    if (pages > look.limits.parts) throw new ContentFault("too_many_parts", "it has too many pages");
  }
  const said = context.lookup(root);
  const count = said instanceof PDFDict ? said.lookup(PDFName.of("Count")) : undefined;
  if (count instanceof PDFNumber && count.asNumber() !== pages) {
    look.odd("damaged_index", `it says that it has ${String(count.asNumber())} pages, and has ${String(pages)}`);
  }
  return pages;
}
