import { OpenApiDocumentError } from "./errors.js";
import { piecesOf, type DocumentReply, type DocumentRequest } from "./document-messages.js";
import { parseDocument, type ParsedDocument } from "./parse-document.js";

let text = "";
const decoder = new TextDecoder();
let parsed: ParsedDocument | undefined;
let pieces: ReturnType<typeof piecesOf> | undefined;

// The page's own worker, made of this file alone: what comes is what read-document.ts sends.
addEventListener("message", ({ data }: MessageEvent<DocumentRequest>) => {
  if (data.kind === "lines") {
    reply({ kind: "lines", lines: data.pointers.map((pointer) => parsed?.lineOf(pointer) ?? null) });
    return;
  }
  if (data.kind === "content") {
    text += typeof data.content === "string" ? data.content : decoder.decode(data.content, { stream: true });
    return;
  }
  try {
    if (data.kind === "more") {
      sendPieces();
      return;
    }
    parsed = parseDocument(data.source, text + decoder.decode());
    text = "";
    pieces = piecesOf(parsed.root);
    sendPieces();
  } catch (error) {
    const isOurs = error instanceof OpenApiDocumentError;
    const reason = isOurs ? error.reason : `it could not be read: ${String(error)}`;
    reply({ kind: "failed", reason, line: isOurs ? (error.line ?? null) : null });
  }
});

/** One message at a time: hundreds in the page's queue would keep it from all else. */
function sendPieces(): void {
  const next = pieces?.next();
  reply(next?.done === false ? { kind: "pieces", pieces: next.value } : { kind: "parsed" });
}

function reply(message: DocumentReply): void {
  postMessage(message);
}
