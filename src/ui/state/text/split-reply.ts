import { extractCode } from "../../../agent/index.js";
import { withoutThoughts } from "../../../model/index.js";

/** A reply as it is drawn while it streams: what comes before its code, and its code so far. */
export function splitReply(reply: string): { thought: string; code: string | null } {
  const text = withoutThoughts(reply);
  const fence = /^[ \t]*(```+|~~~+)[ \t]*(?:python|py)(?:[23][\d.]*)?[ \t]*$/im.exec(text);
  if (fence === null) {
    // A fence that has only begun is not shown as text for a moment.
    return { thought: text.replace(/\n?[ \t]*`{1,3}\w*$/, "").trim(), code: null };
  }
  const thought = text.slice(0, fence.index).trim();
  const begun = text.slice(fence.index);
  return { thought, code: extractCode(begun)?.code ?? begun.slice(fence[0].length).replace(/^\n/, "") };
}
