import { highlightCode, tagHighlighter, tags } from "@lezer/highlight";
import { parser } from "@lezer/python";
import { noChange } from "lit";
import { Directive, directive, PartType, type ElementPart, type PartInfo } from "lit/directive.js";

import { cutText } from "../state/text/text-ends.js";

/** One set of classes for code that is shown and code that is edited. */
export const codeHighlighter = tagHighlighter([
  { tag: [tags.keyword, tags.bool, tags.null, tags.self, tags.operatorKeyword], class: "tok-key" },
  { tag: [tags.string, tags.special(tags.string), tags.character, tags.escape], class: "tok-str" },
  { tag: tags.number, class: "tok-num" },
  { tag: [tags.lineComment, tags.comment], class: "tok-com" },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.function(tags.definition(tags.variableName)),
    ],
    class: "tok-fn",
  },
  { tag: [tags.className, tags.definition(tags.className)], class: "tok-fn" },
]);

/** Characters beyond which code is shown plain. */
const LONGEST = 100_000;

/** A stretch of code, and the classes of its kind; none where it is plain. */
interface CodePart {
  text: string;
  readonly classes: string;
}

class HighlightedPython extends Directive {
  #code: string | undefined;

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.ELEMENT) throw new TypeError("Highlighted code stands on an element.");
  }

  override render(code: string): unknown {
    return code;
  }

  override update({ element }: ElementPart, [code]: [string]): unknown {
    if (code !== this.#code) drawParts(element, pythonParts(code));
    this.#code = code;
    return noChange;
  }
}

/**
 * Python with its parts marked, as the content of the element that it stands on: `<pre ${highlightedPython(code)}></pre>`.
 *
 * The nodes are made here, and not by templates of Lit, which keep several objects for each: a long task has tens of
 * thousands of parts, and what is kept is what an engine looks through to tidy up.
 */
export const highlightedPython = directive(HighlightedPython);

function pythonParts(code: string): CodePart[] {
  const shown = cutText(code);
  if (shown !== code || code.length > LONGEST) return [{ text: shown, classes: "" }];
  const parts: CodePart[] = [];
  const add = (text: string, classes: string): void => {
    const last = parts.at(-1);
    if (last?.classes === classes) last.text += text;
    else parts.push({ text, classes });
  };
  highlightCode(code, parser.parse(code), codeHighlighter, add, () => {
    add("\n", "");
  });
  return parts;
}

/** A node for each part. Those that are right already stay, and with them what a reader has selected in them. */
function drawParts(element: Element, parts: readonly CodePart[]): void {
  let kept = 0;
  for (const part of parts) {
    const node = element.childNodes[kept];
    if (node?.textContent !== part.text || classesOf(node) !== part.classes) break;
    kept += 1;
  }
  while (element.childNodes.length > kept) element.lastChild?.remove();
  element.append(...parts.slice(kept).map(nodeOf));
}

function classesOf(node: Node): string {
  return node instanceof Element ? node.className : "";
}

function nodeOf({ text, classes }: CodePart): Node | string {
  if (classes === "") return text;
  const span = document.createElement("span");
  span.className = classes;
  span.textContent = text;
  return span;
}
