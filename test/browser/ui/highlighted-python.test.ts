import { html, render } from "lit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { highlightedPython } from "../../../src/ui/drawing/highlight.js";

let place: HTMLElement;

beforeEach(() => {
  place = document.createElement("div");
  document.body.append(place);
});

afterEach(() => {
  place.remove();
});

function draw(code: string): HTMLElement {
  render(html`<pre ${highlightedPython(code)}></pre>`, place);
  const element = place.querySelector("pre");
  if (element === null) throw new Error("Nothing was drawn.");
  return element;
}

function marked(element: HTMLElement): string[][] {
  return [...element.children].map(({ className, textContent }) => [className, textContent]);
}

describe("highlighted Python", () => {
  it("is the code, letter for letter, with its parts marked", () => {
    const code = 'def area(side):\n    return side ** 2  # "square"\n\nprint(area(3), "<b>&amp;")\n';
    const element = draw(code);
    expect(element.textContent).toBe(code);
    expect(marked(element)).toEqual([
      ["tok-key", "def"],
      ["tok-fn", "area"],
      ["tok-key", "return"],
      ["tok-num", "2"],
      ["tok-com", '# "square"'],
      ["tok-fn", "print"],
      ["tok-fn", "area"],
      ["tok-num", "3"],
      ["tok-str", '"<b>&amp;"'],
    ]);
  });

  it("keeps what a reader has selected while more is written below", () => {
    const element = draw("import csv\nrows = [");
    const [keyword] = element.children;
    if (keyword === undefined) throw new Error("Nothing is marked.");
    getSelection()?.selectAllChildren(keyword);

    draw("import csv\nrows = [1, 2]\nfor row in rows:\n    pass");

    expect(element.textContent).toBe("import csv\nrows = [1, 2]\nfor row in rows:\n    pass");
    expect(getSelection()?.toString()).toBe("import");
    expect(marked(element).map(([, text]) => text)).toEqual(["import", "1", "2", "for", "in", "pass"]);
  });

  it("draws other code in its place, and none", () => {
    draw("import csv");
    expect(marked(draw("1"))).toEqual([["tok-num", "1"]]);
    expect(draw("").childNodes).toHaveLength(0);
  });

  it("does not mark code that is longer than anybody reads", () => {
    const code = `values = [${"1, ".repeat(100)}]  # all\n`.repeat(340);
    const element = draw(code);
    expect(element.textContent).toBe(code);
    expect(marked(element)).toEqual([]);
  });
});
