import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import "../../../src/ui/styles/index.css";

import { SealedView } from "../../../src/ui/components/content/sealed-view.js";
import { cleanHtml } from "../../../src/ui/drawing/clean-html.js";
import { svgHoldsUpPage } from "../../../src/ui/drawing/drawing-weight.js";

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

/** What `navigator.userAgentData` says of the browser; nothing in those that have none. */
function runIn(brand: string | null, mobile = false): void {
  const data = brand === null ? undefined : { mobile, brands: [{ brand: "Not:A-Brand" }, { brand }] };
  vi.spyOn(navigator as Navigator & { userAgentData?: unknown }, "userAgentData", "get").mockReturnValue(data);
}

async function sealed(kind: "html" | "svg", content: string): Promise<SealedView> {
  const view = new SealedView();
  view.kind = kind;
  view.content = content;
  view.label = "Result";
  document.body.append(view);
  await view.updateComplete;
  return view;
}

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 900">${content}</svg>`;

const paragraphs = "<p>x</p>".repeat(7000);
const shapes = svg('<rect width="9" height="9"/>'.repeat(2000));

describe("a large drawing", () => {
  test.each([
    ["html", paragraphs],
    ["svg", shapes],
  ] as const)("of %s waits until somebody asks for it where the page draws it itself", async (kind, content) => {
    runIn(null);
    const view = await sealed(kind, content);
    const button = view.querySelector("button");

    expect(view.querySelector("iframe")).toBeNull();
    expect(view.textContent).toContain("the page may not respond for some seconds");
    expect(button?.textContent).toBe("Draw it");
    const { height } = view.getBoundingClientRect();

    button?.click();
    await view.updateComplete;

    expect(view.querySelector("iframe")?.srcdoc).toContain(kind === "svg" ? "data:image/svg+xml" : "&lt;p");
    expect(view.textContent).not.toContain("may not respond");
    expect(view.getBoundingClientRect().height).toBe(height);
    expect(document.activeElement).toBe(view.querySelector("iframe"));
  });

  test("that has been asked for stays asked for when it comes near again, and another does not", async () => {
    runIn(null);
    const view = await sealed("html", paragraphs);
    view.querySelector("button")?.click();
    await view.updateComplete;

    view.remove();
    document.body.append(view);
    await view.updateComplete;
    expect(view.querySelector("iframe")).not.toBeNull();

    view.content = `${paragraphs}<p>y</p>`;
    await view.updateComplete;
    expect(view.querySelector("iframe")).toBeNull();
    expect(view.textContent).toContain("Draw it");
  });

  test.each([
    ["on a phone", "Chromium", true],
    ["in a browser that has no name of its engine", "Elsewhere", false],
  ])("waits %s as well", async (_where, brand, mobile) => {
    runIn(brand, mobile);

    expect((await sealed("html", paragraphs)).querySelector("iframe")).toBeNull();
  });

  test("is drawn at once where frames have a process of their own", async () => {
    runIn("Chromium");

    expect((await sealed("html", paragraphs)).querySelector("iframe")).not.toBeNull();
    expect((await sealed("svg", shapes)).querySelector("iframe")).not.toBeNull();
  });
});

/** HTML: some that was measured to take Firefox or WebKitGTK more than 100 milliseconds, and some that people make. */
describe("HTML", () => {
  beforeEach(() => {
    runIn(null);
  });

  test.each([
    ["cells", `<table>${"<tr><td>x<td>x<td>x<td>x".repeat(1000)}`],
    ["fields with parts of their own", "<input type=date>".repeat(30)],
    ["letters beside others", "<ruby>x<rt>y</rt></ruby>".repeat(200)],
    ["formulas", `<math>${"<mfrac><mi>x</mi><mi>y</mi></mfrac>".repeat(200)}</math>`],
    ["a long word", `<p>${"w".repeat(100_000)}`],
    ["a long word of joined letters", `<p>${"مرحبا".repeat(1000)}`],
    ["such a word in pieces", `<p>${"<b>مرحبامرحبامرحبا</b>".repeat(400)}`],
    ["a letter with marks", `<p>a${"\u0301".repeat(10_000)}`],
    ["much text", `<p>${"word ".repeat(130_000)}`],
    ["a long word in a field", `<input value="${"w".repeat(100_000)}">`],
    ["a long word where a picture is missing", `<img alt="${"مرحبا".repeat(1000)}">`],
    [
      "list items by a style",
      `<style>p{display:list-item}</style>${"<p>x</p>".repeat(1400)}${"<div>x</div>".repeat(2000)}`,
    ],
    ["pictures that are drawings", `<img src="data:image/svg+xml,${encodeURIComponent(shapes)}">`],
    ["a drawing inside", `<svg>${'<rect width="9" height="9" rx="2"/>'.repeat(300)}</svg>`],
    ["flexible boxes in one another", `<style>div{display:flex}</style>${"<div>".repeat(6)}${"<p>x</p>".repeat(300)}`],
  ])("of %s is held back", async (_name, html) => {
    expect((await cleanHtml(html))?.holdsUpPage).toBe(true);
  });

  test.each([
    ["a table of 1,500 cells", `<table>${`<tr>${"<td>1234.5</td>".repeat(10)}</tr>`.repeat(150)}</table>`],
    [
      "a table with styles for its cells",
      `<style>${Array.from({ length: 200 }, (_, n) => `#T_c${String(n)}{background-color:#ff${String(100 + n)}0;color:#000}`).join("")}</style><table>${Array.from({ length: 40 }, (_, row) => `<tr>${Array.from({ length: 5 }, (_cell, n) => `<td id="T_c${String(row * 5 + n)}">1.5</td>`).join("")}</tr>`).join("")}</table>`,
    ],
    ["an article", `<h1>Title</h1>${`<p>${"A sentence of some words. ".repeat(40)}</p>`.repeat(100)}`],
    ["an article in Arabic", `<p>${"مرحبا بالعالم ".repeat(40)}</p>`.repeat(20)],
    ["an article in Chinese", `<p>${"汉字是记录汉语的文字，".repeat(40)}</p>`.repeat(20)],
    ["a form", "<label>Name <input></label><select><option>a<option>b</select><textarea></textarea>".repeat(10)],
  ])("that is %s is drawn at once", async (_name, html) => {
    expect((await cleanHtml(html))?.holdsUpPage).toBe(false);
  });
});

/** SVG: the same. */
describe("an SVG", () => {
  beforeEach(() => {
    runIn(null);
  });

  const square = '<rect width="900" height="900"/>';

  test.each([
    ["a filter", `<filter id="f"><feGaussianBlur stdDeviation="50"/></filter><g filter="url(#f)">${square}</g>`],
    ["a filter in a style", `<rect style="filter:blur(50px)" width="900" height="900"/>`],
    ["a filter in a style sheet", `<style>rect{filter:blur(50px)}</style>${square}`],
    ["a name in a style sheet that is spelt another way", `<style>rect{f\\69lter:blur(50px)}</style>${square}`],
    ["a mask", `<mask id="m">${square}</mask><rect mask="url(#m)" width="900" height="900"/>`],
    [
      "a pattern",
      `<pattern id="p" width=".001" height=".001">${square}</pattern><rect fill="url(#p)" width="9" height="9"/>`,
    ],
    ["markers", `<marker id="m">${square}</marker><path marker-mid="url(#m)" d="M0 0L1 1L2 2"/>`],
    ["what moves", `<rect width="9" height="9"><animate attributeName="x" to="9" dur="1s"/></rect>`],
    ["another picture", `<image href="data:image/svg+xml,${encodeURIComponent(svg(square))}"/>`],
    ["HTML", '<foreignObject width="9" height="9"><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>'],
    ["groups that are pale", `<g opacity=".5">${square}${square}</g>`.repeat(30)],
    ["shapes that are pale by a style sheet", `<style>rect{opacity:.5}</style>${square.repeat(30)}`],
    ["shapes with dashes", '<circle r="800" stroke="red" stroke-dasharray="2 2"/>'.repeat(50)],
    ["dashes for all that is in it", `<g stroke-dasharray="2 2">${square.repeat(50)}</g>`],
    ["dashes that are very short", '<path d="M0 0L900 900" stroke="red" stroke-dasharray=".001"/>'],
    ["such dashes in a style", '<path d="M0 0L900 900" style="stroke:red;stroke-dasharray:.001"/>'],
    ["a long path", `<path stroke="red" d="M0 0${"L900 900L0 900L900 0".repeat(2000)}"/>`],
    [
      "a path that is used often",
      `<defs><path id="a" d="M0 0${"L900 900L0 900".repeat(90)}"/></defs>${'<use href="#a"/>'.repeat(60)}`,
    ],
    ["uses of uses", '<g id="a"><rect width="9" height="9"/></g><g id="b"><use href="#a"/></g><use href="#b"/>'],
    ["a long text", `<text>${"word ".repeat(400)}</text>`],
    ["a style sheet of nothing but colons", `<style>${":".repeat(1_000_000)}{}</style>`],
    [
      "uses of groups in one another that have dashes",
      `<use href="#a"/><g id="a">${'<g stroke-dasharray="2 2">'.repeat(2000)}${"</g>".repeat(2000)}</g>`,
    ],
    ["rules that look at others", `<style>g~g~g{fill:red}</style>${"<g/>".repeat(100)}`],
  ])("with %s is held back", async (_name, content) => {
    expect(await svgHoldsUpPage(svg(content))).toBe(true);
  });

  test.each([
    ["bars", '<rect x="1" width="9" height="90" fill="#36c"/><text x="1" y="9">2024</text>'.repeat(40)],
    [
      "a line of 800 points",
      `<polyline fill="none" points="${Array.from({ length: 800 }, (_, n) => `${String(n)},${String((n * n) % 97)}`).join(" ")}"/>`,
    ],
    [
      "a plot with a style sheet, clips and a grid of dashes",
      `<defs><style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style><clipPath id="c"><rect width="9" height="9"/></clipPath></defs>${'<path d="M 0 0 L 9 9" clip-path="url(#c)" style="fill: none; stroke: #1f77b4; stroke-dasharray: 3.7,1.6"/>'.repeat(12)}`,
    ],
    [
      "letters as paths",
      `<defs><path id="a" d="M 9 9 ${"Q 1 2 3 4 ".repeat(20)}"/></defs>${'<use xlink:href="#a" xmlns:xlink="http://www.w3.org/1999/xlink"/>'.repeat(60)}`,
    ],
    ["ellipses", '<ellipse rx="3" ry="2" cx="9" cy="9" fill="red"/>'.repeat(500)],
    ["points", '<circle r="3" cx="9" cy="9" fill="red"/>'.repeat(500)],
    [
      "a gradient",
      `<linearGradient id="g"><stop stop-color="red"/><stop offset="1"/></linearGradient><rect fill="url(#g)" width="900" height="900"/>`,
    ],
  ])("of %s is drawn at once", async (_name, content) => {
    expect(await svgHoldsUpPage(svg(content))).toBe(false);
  });
});
