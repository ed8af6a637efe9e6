import { h } from "../shared/dom.js";
import { keepTyping } from "../shared/input-form.js";

import { LONGEST_QUESTION } from "./agent-markup.js";

/** Milliseconds within which Safari sends the Enter that ended a word of an input method: after the composition's end. */
const AFTER_COMPOSITION = 100;

/** Where a question is written. Enter asks, Shift and Enter begin a line; keys stay here, sites have some of their own. */
export function questionField(ask: () => void): HTMLTextAreaElement {
  const field = h("textarea", {
    id: "question",
    part: "field",
    rows: "2",
    maxlength: String(LONGEST_QUESTION),
    enterkeyhint: "send",
  });
  let composed = Number.NEGATIVE_INFINITY;
  field.addEventListener("compositionend", ({ timeStamp }) => (composed = timeStamp));
  field.addEventListener("keydown", (event) => {
    const isOfWord = event.isComposing || event.timeStamp - composed < AFTER_COMPOSITION;
    if (event.key !== "Enter" || event.shiftKey || isOfWord) return;
    event.preventDefault();
    if (!event.repeat) ask();
  });
  for (const type of ["keydown", "keypress", "keyup"] as const) field.addEventListener(type, keepTyping);
  return field;
}
