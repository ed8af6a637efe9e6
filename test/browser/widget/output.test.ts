import axe, { type AxeResults } from "axe-core";
import { afterEach, describe, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import "../../../src/ui/widget/output/index.js";

import { memoryStorage, Session, type OutputChunk } from "../../../src/index.js";
import { untilAnswered, untilShown } from "../../timeouts.mjs";

type Output = HTMLElementTagNameMap["vitrine-output"];

afterEach(async () => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
  document.documentElement.removeAttribute("dir");
  document.documentElement.style.colorScheme = "";
  document.body.style.background = "";
  await page.viewport(900, 700);
});

async function show(...chunks: readonly OutputChunk[]): Promise<Output> {
  const output = document.createElement("vitrine-output");
  document.body.append(output);
  for (const chunk of chunks) output.add(chunk);
  await output.updateComplete;
  return output;
}

const printed = (text: string): OutputChunk => ({ kind: "stdout", text });
const shown = (mime: string, content: string): OutputChunk => ({
  kind: "display",
  source: "display",
  data: { [mime]: content },
});

/** What is drawn, which is in the element's own tree. */
function inside(output: Output): ShadowRoot {
  if (output.shadowRoot === null) throw new Error("It has a tree of its own.");
  return output.shadowRoot;
}

function find(output: Output, selector: string): HTMLElement {
  const found = inside(output).querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`There is no ${selector}.`);
  return found;
}

function press(output: Output, name: string): void {
  const button = [...inside(output).querySelectorAll("button")].find(({ textContent }) => textContent.trim() === name);
  if (button === undefined) throw new Error(`There is no button "${name}".`);
  button.focus();
  button.click();
}

/** One text, since a list of them would be shown by its length. */
const violationsIn = ({ violations }: AxeResults): string =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`).join("\n");

const words = (output: Output): string => inside(output).textContent.replaceAll(/\s+/g, " ").trim();

const documentOfCode = shown("text/html", "<table><tr><th>a<tr><td>1</table><a href='https://example.com/'>more</a>");
const drawing = shown(
  "image/svg+xml",
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>',
);
const markdown = shown(
  "text/markdown",
  "# Title\n\n[a link](https://example.com/) `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |",
);

/** Of every kind that is drawn. */
const everything = [
  printed("hello\n"),
  { kind: "stderr", text: "careful\n" },
  documentOfCode,
  drawing,
  markdown,
  shown("application/json", '[{"country": "Norway", "price": 1}, {"country": "Japan", "price": 2}]'),
  shown("application/json", '{"a": [1, 2], "b": null}'),
  shown("image/gif", "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
  printed(`${"a long line ".repeat(60)}\n`.repeat(60)),
] satisfies readonly OutputChunk[];

test(
  "a run is drawn as it comes, then its value, and `clear` takes all of it away",
  async () => {
    const session = await Session.open({ storage: memoryStorage() });
    const output = await show();

    output.result = await session.run("print('now')\n6 * 7", { onOutput: (chunk) => output.add(chunk) });
    await output.updateComplete;
    expect(words(output)).toBe("now Value: 42");
    expect(output.result.value).toBe(42);

    output.clear();
    await output.updateComplete;
    expect(words(output)).toBe("");
    expect(output.result).toBeNull();
    expect(output.getBoundingClientRect().height).toBe(0);

    output.result = await session.run("1 / 0");
    await output.updateComplete;
    expect(find(output, "[part=error]").textContent).toMatch(/ZeroDivisionError: division by zero$/);
    await session.close();
  },
  untilAnswered.timeout,
);

test("what was given before the element is in a page is drawn once it is, and again after a move", async () => {
  const output = document.createElement("vitrine-output");
  output.add(printed("early"));
  document.body.append(output);
  await output.updateComplete;
  expect(words(output)).toBe("early");

  const box = document.createElement("section");
  document.body.append(box);
  box.append(output);
  output.add(printed(" and late"));

  await vi.waitFor(() => expect(words(output)).toBe("early and late"), untilShown);
});

describe("on a page with styles of its own", () => {
  test("what the page does to its text and elements changes nothing in it, and it nothing in the page", async () => {
    const styles = document.createElement("style");
    styles.textContent = `pre { font-size: 40px; border: 9px solid red } body { text-transform: uppercase; white-space: pre;
      letter-spacing: 9px; text-align: center; font: 40px serif } .out { display: none }`;
    document.body.append(styles);
    const output = await show(printed("text"));

    const { fontSize, borderTopWidth, textTransform, letterSpacing, textAlign, display } = getComputedStyle(
      find(output, "pre"),
    );
    expect({ fontSize, borderTopWidth, textTransform, letterSpacing, textAlign, display }).toEqual({
      fontSize: "13px",
      borderTopWidth: "0px",
      textTransform: "none",
      letterSpacing: "normal",
      textAlign: "start",
      display: "block",
    });
    // Its own styles are in its tree alone.
    expect(document.adoptedStyleSheets).toEqual([]);
  });

  test("its custom properties and parts reach what is drawn", async () => {
    const styles = document.createElement("style");
    styles.textContent = `vitrine-output { --vitrine-ink: rgb(1, 2, 3); --vitrine-warn: rgb(4, 5, 6); --vitrine-mono: "Some Mono" }
      vitrine-output::part(text) { border: 3px solid rgb(7, 8, 9) } vitrine-output::part(rich) { color: rgb(9, 9, 9) }`;
    document.body.append(styles);

    const output = await show(printed("a"), { kind: "stderr", text: "b" }, shown("application/json", '{"a": 1}'));

    const [out, err] = [...inside(output).querySelectorAll("pre")].map((element) => getComputedStyle(element));
    expect([out?.color, out?.fontFamily, out?.borderTopWidth]).toEqual(["rgb(1, 2, 3)", '"Some Mono"', "3px"]);
    expect(err?.color).toBe("rgb(4, 5, 6)");
    expect(getComputedStyle(find(output, ".rich")).color).toBe("rgb(9, 9, 9)");
  });

  test("it is dark where the page is, whatever the machine prefers, and as soon as the page changes", async () => {
    const output = await show(drawing);
    const frame = await vi.waitFor(() => find(output, "iframe"), untilShown);
    expect(getComputedStyle(find(output, ".scheme")).color).toBe("rgb(255, 255, 255)");
    expect(getComputedStyle(frame).filter).toBe("none");

    document.documentElement.style.colorScheme = "dark";

    await vi.waitFor(() => expect(getComputedStyle(frame).filter).toBe("invert(0.9) hue-rotate(180deg)"), untilShown);
    document.documentElement.style.colorScheme = "light";
    await vi.waitFor(() => expect(getComputedStyle(frame).filter).toBe("none"), untilShown);
  });
});

describe.each([
  ["a wide page", 900, "ltr"],
  ["a phone", 360, "ltr"],
  ["a phone, from right to left", 360, "rtl"],
] as const)("on %s", (_name, width, dir) => {
  test.each(["light", "dark"])("%s: axe finds nothing, and the page does not scroll sideways", async (scheme) => {
    await page.viewport(width, 700);
    document.documentElement.dir = dir;
    document.documentElement.style.colorScheme = scheme;
    document.body.style.background = scheme === "dark" ? "#101214" : "#fff";
    const main = document.createElement("main");
    const heading = document.createElement("h1");
    heading.textContent = "A page";
    heading.style.color = scheme === "dark" ? "#fff" : "#000";

    const output = await show(...everything);
    main.append(heading, output);
    document.body.append(main);
    await output.updateComplete;
    await vi.waitFor(() => [find(output, "img.picture[src]"), find(output, ".long")], untilShown);

    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    // The frames of what code made have neither scripts nor an origin, so axe cannot look into them.
    const found = await axe.run(document.body, {
      iframes: false,
      rules: { "target-size": { enabled: true }, region: { enabled: false }, "frame-tested": { enabled: false } },
    });
    expect(violationsIn(found)).toBe("");
  });
});

test("printed text reads in the direction of its letters, code from left to right", async () => {
  document.documentElement.dir = "rtl";

  const output = await show(printed("שלום\n"), printed("x"), shown("application/json", '{"a": 1}'));

  expect(getComputedStyle(find(output, "pre")).direction).toBe("rtl");
  expect(getComputedStyle(find(output, ".tree")).direction).toBe("ltr");
  output.clear();
  output.add(printed("english"));
  await output.updateComplete;
  expect(getComputedStyle(find(output, "pre")).direction).toBe("ltr");
});

describe("a link of what code made", () => {
  test.each([
    ["HTML", documentOfCode, "more"],
    ["Markdown", markdown, "a link"],
  ])("in %s opens after its whole target was shown, and nothing leads to it before", async (_name, chunk, name) => {
    const opened: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      opened.push(`${this.href} ${this.target} ${this.rel}`);
    });
    const output = await show(chunk);
    await vi.waitFor(() => expect(words(output)).toContain(name), untilShown);
    for (const details of inside(output).querySelectorAll("details")) details.open = true;

    press(output, name);
    const dialog = find(output, "dialog");
    expect(dialog.matches(":modal")).toBe(true);
    expect(dialog.textContent).toContain("https://example.com/");
    expect(getComputedStyle(dialog).borderTopLeftRadius).toBe("12px");
    expect([document, inside(output)].flatMap((root) => [...root.querySelectorAll("a")])).toEqual([]);
    expect(violationsIn(await axe.run(document.body, { iframes: false, runOnly: ["wcag2a", "wcag2aa"] }))).toBe("");

    press(output, "Open in a new tab");
    await vi.waitFor(() => expect(inside(output).querySelector("dialog")).toBeNull(), untilShown);
    expect(opened).toEqual(["https://example.com/ _blank noopener noreferrer"]);
    expect(inside(output).activeElement?.textContent.trim()).toBe(name);

    press(output, name);
    await userEvent.keyboard("{Escape}");
    await vi.waitFor(() => expect(inside(output).querySelector("dialog")).toBeNull(), untilShown);
    expect(opened).toHaveLength(1);
  });
});

test("the focus stays in a table that grows, as it does in the demo", async () => {
  const rows = JSON.stringify(Array.from({ length: 60 }, (_, index) => ({ index, square: index * index })));
  const output = await show(shown("application/json", rows));

  press(output, "Show more");
  await vi.waitFor(() => expect(inside(output).querySelectorAll("tbody tr")).toHaveLength(40), untilShown);

  expect(inside(output).activeElement?.textContent.trim()).toBe("Show more");
});

test("what scrolls can be scrolled by keyboard, and what does not is no stop on the way", async () => {
  const output = await show(...everything);
  await vi.waitFor(() => expect(inside(output).querySelector(".out.below, .out.above")).not.toBeNull(), untilShown);

  for (const element of inside(output).querySelectorAll<HTMLElement>("pre, .scroller")) {
    const scrolls = element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth;
    if (scrolls) expect(element.tabIndex).toBe(0);
  }
  expect(inside(output).querySelector<HTMLElement>("pre.stdout")?.tabIndex).toBe(-1);
});

test("another copy of it on the page leaves the first as it is", async () => {
  const copy = "/src/ui/widget/output/index.ts?another";
  const before = customElements.get("vitrine-output");

  await import(/* @vite-ignore */ copy);

  expect(customElements.get("vitrine-output")).toBe(before);
});
