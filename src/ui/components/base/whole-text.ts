import type { Value } from "../../../protocol/index.js";
import { argumentPieces } from "../../drawing/argument-text.js";
import { BlockView, type TextBlock } from "./block-view.js";

/** Characters of a block, roughly, and of one of its lines where it has few ends of lines. */
const BLOCK = 8000;
const LINE = 90;

/** All of a value that a person is to see before they agree to it. */
export class WholeText extends BlockView {
  static override properties = { value: { attribute: false } };
  declare value: Value;

  protected override *blocks(): Iterable<TextBlock> {
    let text = "";
    for (const piece of argumentPieces(this.value)) {
      text += piece;
      if (text.length >= BLOCK) {
        // The end of a block ends a line, so it is put where one ends, if it can be.
        const end = text.lastIndexOf("\n") + 1 || text.length;
        yield blockOf(text.slice(0, end));
        text = text.slice(end);
      }
    }
    yield blockOf(text);
  }
}
customElements.define("vitrine-app-whole-text", WholeText);

function blockOf(text: string): TextBlock {
  let lines = 0;
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    const length = (end < 0 ? text.length : end) - start;
    lines += Math.max(1, Math.ceil(length / LINE));
    start += length + 1;
  }
  return { parts: [text], lines };
}
