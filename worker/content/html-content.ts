import { defaultTreeAdapter as tree, parse, type DefaultTreeAdapterTypes, type ParserError } from "parse5";

import { shortenUnitsTo, type ContentFacts } from "../../src/protocol/index.js";
import { ContentFault } from "./content-fault.js";
import type { Look } from "./look.js";
import { LONGEST_NAME } from "./text-content.js";

/** Of mistakes after which the rest of the text is no longer what it was meant to be: it ends in the middle of something. */
const CUT_OFF = "eof-";

/** Of no weight for a part of a page. */
const HARMLESS = new Set(["missing-doctype", "non-conforming-doctype"]);

/** Mistakes that are listed one by one. */
const MOST_LISTED = 3;

export function readHtml(text: string, look: Look): ContentFacts {
  const mistakes: ParserError[] = [];
  let count = 0;
  const document = parse(text, {
    sourceCodeLocationInfo: true,
    onParseError: (error) => {
      if (error.code.startsWith(CUT_OFF)) throw cutOff(error);
      if (HARMLESS.has(error.code)) return;
      count += 1;
      if (mistakes.length < MOST_LISTED) mistakes.push(error);
    },
  });
  for (const { code, startLine, startCol } of mistakes) {
    look.odd("markup_errors", code.replaceAll("-", " "), { line: startLine, column: startCol });
  }
  if (count > mistakes.length) look.odd("markup_errors", `${String(count - mistakes.length)} more mistakes`);
  const { elements, scripts, title } = readTree(document, look.limits.parts);
  if (elements === 0) look.odd("no_markup", "there is no element in it, only text");
  return { format: "html", elements, scripts, title };
}

function cutOff({ code, startLine, startCol }: ParserError): ContentFault {
  const reason = `it ends in the middle of something (${code.replaceAll("-", " ")})`;
  return new ContentFault("html_parse_failed", reason, { line: startLine, column: startCol });
}

interface Tree {
  elements: number;
  scripts: number;
  title: string | null;
}

/** Without recursion: a page may be nested deeper than a stack is. */
function readTree(document: DefaultTreeAdapterTypes.Document, most: number): Tree {
  const found: Tree = { elements: 0, scripts: 0, title: null };
  const waiting: DefaultTreeAdapterTypes.ParentNode[] = [document];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    for (const node of parent.childNodes) {
      if (!tree.isElementNode(node)) continue;
      waiting.push(node);
      if (node.nodeName === "template" && "content" in node) waiting.push(node.content);
      // The parser adds what a page must have.
      if ((node.sourceCodeLocation ?? null) === null) continue;
      found.elements += 1;
      found.scripts += node.attrs.filter(({ name }) => name.startsWith("on")).length;
      if (node.nodeName === "script") found.scripts += 1;
      if (node.nodeName === "title") found.title ??= titleOf(node);
      if (found.elements > most) throw new ContentFault("too_many_parts", `it has more than ${String(most)} elements`);
    }
  }
  return found;
}

function titleOf({ childNodes }: DefaultTreeAdapterTypes.Element): string {
  return shortenUnitsTo(
    childNodes
      .map((node) => (tree.isTextNode(node) ? node.value : ""))
      .join("")
      .trim(),
    LONGEST_NAME,
  );
}
