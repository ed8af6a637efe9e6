import { highlightCode, tagHighlighter, tags } from "@lezer/highlight";
import { parser } from "@lezer/python";
import { html, type TemplateResult } from "lit";

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

/** Python with its parts marked. */
export function highlightPython(code: string): TemplateResult {
  if (code.length > LONGEST) return html`${code}`;
  const parts: (TemplateResult | string)[] = [];
  highlightCode(
    code,
    parser.parse(code),
    codeHighlighter,
    (text, classes) => parts.push(classes === "" ? text : html`<span class=${classes}>${text}</span>`),
    () => parts.push("\n"),
  );
  return html`${parts}`;
}
