import { SaxesParser, type SaxesTagNS } from "saxes";

import { shortenUnitsTo, type ContentFacts } from "../../src/protocol/index.js";
import { ContentFault, ParseFailure, tooDeep } from "./content-fault.js";
import type { Look } from "./look.js";
import { LONGEST_NAME } from "./text-content.js";

const SVG = "http://www.w3.org/2000/svg";

/** Characters that are handed to the parser at once. */
const PIECE = 1 << 16;

export function readXml(text: string, look: Look): ContentFacts {
  const { root, elements, depth } = readElements(text, look, () => undefined);
  return { format: "xml", root: shortenUnitsTo(root.name, LONGEST_NAME), elements, depth };
}

/** XML with the root of a drawing. What it would load or run is told: a program that shows it must not. */
export function readSvg(text: string, look: Look): ContentFacts {
  let scripts = 0;
  const external = new Set<string>();
  const { root, elements } = readElements(text, look, ({ local, attributes }) => {
    if (local === "script") scripts += 1;
    for (const { local: name, value } of Object.values(attributes)) {
      if (/^on/i.test(name)) scripts += 1;
      if ((name === "href" || name === "src") && /^(?:[a-z+.-]*:)?\/\//i.test(value.trim())) external.add(value.trim());
    }
  });
  if (root.local !== "svg") {
    throw new Error(`its root is <${shortenUnitsTo(root.name, 50)}>, and that of a drawing is <svg>`);
  }
  if (root.uri !== SVG) {
    look.odd("namespace_missing", `<svg> is without xmlns="${SVG}", and no browser draws such a file`);
  }
  if (scripts > 0) look.odd("script_inside", `${String(scripts)} scripts or handlers of events are in it`);
  for (const address of external) look.odd("external_reference", `it loads ${shortenUnitsTo(address, 200)}`);
  const [, , width = "", height = ""] = root.attributes.viewBox?.value.trim().split(/[\s,]+/) ?? [];
  return {
    ...{ format: "svg", elements, scripts },
    width: lengthOf(root.attributes.width?.value) ?? lengthOf(width),
    height: lengthOf(root.attributes.height?.value) ?? lengthOf(height),
  };
}

interface Elements {
  readonly root: SaxesTagNS;
  readonly elements: number;
  readonly depth: number;
}

function readElements(text: string, look: Look, meet: (tag: SaxesTagNS) => void): Elements {
  const { depth: deepest, parts } = look.limits;
  const parser = new SaxesParser({ xmlns: true });
  let root: SaxesTagNS | undefined;
  let elements = 0;
  let level = 0;
  let depth = 0;
  const position = () => ({ line: parser.line, column: parser.columnIndex + 1 });
  parser.on("error", ({ message }) => {
    throw new ParseFailure(message.replace(/^(?:.*?:)?\d+:\d+: /, ""), position());
  });
  parser.on("doctype", (doctype) => {
    // Neither is ever loaded or expanded here, but whoever opens the file next may do so.
    if (doctype.includes("[")) {
      throw new ContentFault("definition_refused", "its DOCTYPE defines entities or elements of its own", position());
    }
    look.odd("doctype", "it has a DOCTYPE, which is not read", position());
  });
  parser.on("opentag", (tag) => {
    root ??= tag;
    elements += 1;
    level += 1;
    depth = Math.max(depth, level);
    if (level > deepest) throw tooDeep(deepest, position());
    if (elements > parts) throw new ContentFault("too_many_parts", `it has more than ${String(parts)} elements`);
    meet(tag);
  });
  parser.on("closetag", () => {
    level -= 1;
  });
  for (let start = 0; start < text.length; start += PIECE) parser.write(text.slice(start, start + PIECE));
  parser.close();
  if (root === undefined) throw new Error("there is no element in it");
  return { root, elements, depth };
}

function lengthOf(text: string | undefined): number | null {
  const [found] = /^\s*\d+(?:\.\d+)?(?=\s*(?:px)?\s*$)/.exec(text ?? "") ?? [];
  return found === undefined ? null : Number(found);
}
