import createDOMPurify from "dompurify";
import { afterEach, describe, expect, test, vi } from "vitest";

import { ContentView } from "../../../src/ui/components/content/content-view.js";
import { DataTable } from "../../../src/ui/components/content/data-table.js";
import { MarkdownView } from "../../../src/ui/components/content/markdown-view.js";
import { SealedView } from "../../../src/ui/components/content/sealed-view.js";
import { keepNoAddresses } from "../../../src/ui/drawing/addresses.js";
import { CLEANING, cleanHtml } from "../../../src/ui/drawing/clean-html.js";
import { parseHtml } from "../../../src/ui/drawing/parse-html.js";
import { contentForm } from "../../../src/ui/state/text/content-form.js";
import { tableOfRecords } from "../../../src/ui/state/text/csv.js";

afterEach(() => {
  document.body.replaceChildren();
});

async function markdown(text: string): Promise<MarkdownView> {
  const view = new MarkdownView();
  view.text = text;
  document.body.append(view);
  await view.updateComplete;
  return view;
}

async function sealed(kind: "html" | "svg", content: string): Promise<SealedView> {
  const view = new SealedView();
  view.kind = kind;
  view.content = content;
  document.body.append(view);
  await view.updateComplete;
  return view;
}

describe("Markdown", () => {
  test.each([
    ["emphasis that never ends", "*a **a ".repeat(20_000)],
    ["underscores", "_a".repeat(50_000)],
    ["brackets", "[".repeat(100_000)],
    ["tables in tables", "|a|b\n|-|-\n".repeat(10_000)],
  ])("of %s is drawn while the page goes on", async (_name, text) => {
    const view = new MarkdownView();
    view.text = text;
    document.body.append(view);
    let turns = 0;
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      turns += 1;
      channel.port2.postMessage(null);
    };
    channel.port2.postMessage(null);

    await view.updateComplete;
    channel.port1.close();

    expect(turns).toBeGreaterThan(5);
    expect(view.textContent.length).toBeGreaterThan(text.length / 2);
  });

  test("nested too deeply for its reader is shown as text", async () => {
    const view = await markdown(">".repeat(200_000));

    expect(view.textContent).toContain("Nested too deeply to be formatted");
    expect(view.querySelector("pre")?.textContent).toMatch(/^>+$/);
  });

  test("of very many lines has its first ones drawn, and the others counted", async () => {
    const view = await markdown(`\`\`\`\n${"\n".repeat(190_000)}\`\`\`\n`);

    expect(view.textContent.match(/\n/g)?.length).toBeLessThan(30_000);
    expect(view.textContent).toMatch(/… 1\d\d,\d{3} more characters not shown/);
  });

  test("beyond 200,000 characters is counted and not drawn", async () => {
    const view = await markdown("word ".repeat(50_000));

    expect(view.textContent).toContain("… 50,000 more characters not shown");
  });

  test("keeps pictures of pixels, and says where one is missing: drawings of SVG, those from elsewhere", async () => {
    const pixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    const drawing = `data:image/svg+xml,${encodeURIComponent("<svg xmlns='http://www.w3.org/2000/svg'/>")}`;

    const view = await markdown(`![dot](${pixel}) ![bomb](${drawing}) ![far](https://elsewhere.example/x.png)`);

    expect([...view.querySelectorAll("img")].map(({ alt }) => alt)).toEqual(["dot"]);
    expect(view.textContent).toContain("[picture not loaded: bomb]");
    expect(view.textContent).toContain("[picture not loaded: far]");
  });

  test("that grows keeps what was drawn of its beginning", async () => {
    const beginning = "A paragraph of some words.\n\n".repeat(400);
    const view = await markdown(beginning);
    const [first] = view.querySelectorAll("p");

    view.text = `${beginning}The end.`;
    await view.updateComplete;

    expect(view.querySelector("p")).toBe(first);
    expect(view.querySelectorAll("p")).toHaveLength(401);
    expect(view.textContent).toMatch(/The end\.\s*$/);
  });

  test("that changes while it is drawn is the later one in the end", async () => {
    const view = new MarkdownView();
    view.text = "*a **a ".repeat(20_000);
    document.body.append(view);
    await new Promise((resolve) => setTimeout(resolve));

    view.text = "short";
    await view.updateComplete;

    expect(view.textContent.trim()).toBe("short");
  });
});

describe("HTML", () => {
  test.each([
    ["400,000 nested elements", "<div>".repeat(400_000)],
    ["50,000 elements side by side", "<i></i>".repeat(50_000)],
    ["nesting of 300 levels", "<div>".repeat(300)],
    [
      "open elements that each paragraph opens again",
      `${Array.from({ length: 5000 }, (_, n) => `<b a=${String(n)}>`).join("")}${"<p>x".repeat(5000)}`,
    ],
    [
      "such elements that a table puts before itself",
      `<table>${Array.from({ length: 5000 }, (_, n) => `<b a=${String(n)}>`).join("")}${"<p>x".repeat(5000)}`,
    ],
    ["50,000 attributes in a tag", `<p ${Array.from({ length: 50_000 }, (_, n) => `a${String(n)}`).join(" ")}>`],
    [
      "50,000 attributes in a tag without blanks",
      `<p/${Array.from({ length: 50_000 }, (_, n) => `a${String(n)}`).join("/")}>`,
    ],
    [
      "such elements in a template",
      `<template>${Array.from({ length: 5000 }, (_, n) => `<b a=${String(n)}>`).join("")}${"<p>x".repeat(5000)}`,
    ],
    ["tags of a body that add up", Array.from({ length: 1000 }, (_, n) => `<body a${String(n)}>x`).join("")],
    ["nested links", "<svg><a href='https://a.example/'>".repeat(50_000)],
    ["3,000,000 characters", "x".repeat(3_000_000)],
  ])("of %s is too large to be drawn, and its text is shown", async (_name, content) => {
    const view = await sealed("html", content);

    expect(view.textContent).toContain("This HTML is too large to be drawn.");
    expect(view.querySelector("pre")?.textContent).toBe(content.slice(0, 20_000));
    expect(view.querySelector("iframe")).toBeNull();
  });

  test("of a long table is drawn whole", async () => {
    const row = `<tr>${"<td>1.25</td>".repeat(8)}</tr>`;

    const view = await sealed(
      "html",
      `<style>${"td { color: red }\n".repeat(2000)}</style><table>${row.repeat(1000)}</table>`,
    );

    const drawn = view.querySelector("iframe")?.getAttribute("srcdoc") ?? "";
    expect(drawn.match(/lt;tr>/g)).toHaveLength(1000);
  });

  test.each([
    ["a table", "<table>", "<tr><td>1</td><td onclick='x()'>2</td><td>é</td></tr>", 2400, "</table>"],
    ["paragraphs with links", "", "<p>one <b>two</b> <a href='https://a.example/'>three</a></p> four ", 2300, ""],
    ["a drawing", "<svg>", "<g><rect width='1' onload='x()'/><circle r='2'/></g>", 3000, "</svg>"],
    ["formulas", "<math>", "<mrow><mi>x</mi><mo>+</mo><mi>y</mi></mrow>", 2200, "</math>"],
    ["boxes in boxes", "", `${"<div>".repeat(30)}<i>x</i><i>y</i>${"</div>".repeat(30)}`, 200, ""],
    ["a form that is taken out", "<form>", "<p>in <b>a</b> form</p><input>", 2000, "</form>"],
  ])("of %s is cleaned in parts, to what it is when cleaned as a whole", async (_name, begin, part, count, end) => {
    const html = `${begin}${part.repeat(count)}${end}`;
    const atOnce = await parseHtml(html);
    const purify = createDOMPurify(window);
    keepNoAddresses(purify, { images: /^$/ });
    if (atOnce !== null) purify.sanitize(atOnce.documentElement, CLEANING);

    const inParts = await cleanHtml(html);

    expect(inParts?.html).toBe(atOnce?.documentElement.outerHTML);
    expect(inParts?.html.length).toBeGreaterThan(20_000);
  });

  test("of a picture of two million characters is drawn", async () => {
    const view = await sealed("html", `<img alt="" src="data:image/png;base64,${"A".repeat(1_900_000)}">`);

    expect(view.querySelector("iframe")).not.toBeNull();
  });

  test("lists its first 50 links, each with the beginning of its text, and counts all", async () => {
    const view = await sealed("html", `<a href="https://a.example/">${"long ".repeat(100)}</a>`.repeat(60));

    expect(view.querySelector("summary")?.textContent).toBe("60 links");
    const links = [...view.querySelectorAll("li")].map(({ textContent }) => textContent.trim());
    expect(links).toHaveLength(50);
    expect(Math.max(...links.map(({ length }) => length))).toBeLessThanOrEqual(200);
  });
});

describe("documents of which many are there", () => {
  const frames = (): number => document.querySelectorAll("iframe").length;

  test("are drawn where they are near what is seen, and leave their room to those that come near", async () => {
    const views = Array.from({ length: 100 }, (_, n) => {
      const view = new SealedView();
      view.content = `<p>${String(n)}</p>`.repeat(20);
      return view;
    });
    document.body.append(...views);
    const [first, last] = [views[0], views.at(-1)];
    await first?.updateComplete;
    await last?.updateComplete;
    expect(first?.querySelector("iframe")).not.toBeNull();
    expect(last?.querySelector("[aria-busy]")).not.toBeNull();
    const height = document.body.scrollHeight;

    last?.scrollIntoView();

    await expect.poll(() => last?.querySelector("iframe")?.srcdoc).toContain("99");
    await expect.poll(() => first?.querySelector("iframe")).toBeNull();
    expect(frames()).toBeLessThan(20);
    first?.scrollIntoView();
    await expect.poll(() => first?.querySelector("iframe")?.srcdoc).toContain("&lt;p>0&lt;");
    expect(document.body.scrollHeight).toBe(height);
  });

  test("are drawn one after the other", async () => {
    const loaded: boolean[] = [];
    const views = Array.from({ length: 4 }, () => {
      const view = new SealedView();
      view.content = "<p>x</p>";
      return view;
    });
    const isLoaded = new WeakSet<EventTarget>();
    document.body.addEventListener("load", ({ target }) => target !== null && isLoaded.add(target), { capture: true });
    const observer = new MutationObserver(() => {
      const there = [...document.querySelectorAll("iframe")];
      loaded.push(there.filter((frame) => !isLoaded.has(frame)).length <= 1);
    });
    observer.observe(document.body, { childList: true, subtree: true });

    document.body.append(...views);
    for (const view of views) await view.updateComplete;

    observer.disconnect();
    expect(frames()).toBe(4);
    expect(loaded).not.toContain(false);
  });
});

test("HTML of 30,000 lines is too large to be drawn, and as many lines of it are shown as are drawn", async () => {
  const view = await sealed("html", `<pre>${"line\n".repeat(30_000)}</pre>`);

  expect(view.querySelector("iframe")).toBeNull();
  expect(view.textContent).toContain("too large to be drawn");
  expect(view.querySelector("pre")?.textContent.split("\n").length).toBeLessThan(1000);
});

test.each([
  ["html", `<pre>${"א a".repeat(10_000)}</pre>`],
  ["html", `<pre>${"&#1488; a".repeat(10_000)}</pre>`],
  ["svg", `<svg xmlns="http://www.w3.org/2000/svg"><text>${"א a".repeat(10_000)}</text></svg>`],
] as const)("%s whose text changes its direction all the time is too large to be drawn", async (kind, content) => {
  const view = await sealed(kind, content);

  expect(view.querySelector("iframe")).toBeNull();
  expect(view.textContent).toContain("too large to be drawn");
});

test("HTML of which each paragraph opens 200 elements again is read in parts that make few elements each", async () => {
  const made: number[] = [];
  const original: unknown = Reflect.get(Document.prototype, "write");
  if (typeof original !== "function") throw new Error("The browser has no document.write.");
  const write = vi.spyOn(Document.prototype, "write").mockImplementation(function (this: Document, text: string) {
    const before = this.getElementsByTagName("*").length;
    Reflect.apply(original, this, [text]);
    made.push(this.getElementsByTagName("*").length - before);
  });
  const fonts = Array.from({ length: 200 }, (_, number) => `<font color="${String(number)}">`).join("");

  const parsed = await parseHtml(`<p>${fonts}${"<p>x".repeat(40)}`);

  write.mockRestore();
  expect(parsed?.querySelectorAll("p")).toHaveLength(41);
  expect(Math.max(...made)).toBeGreaterThan(200);
  expect(Math.max(...made)).toBeLessThan(5000);
});

test("HTML in Hebrew is drawn", async () => {
  const view = await sealed("html", "<p>שלום לכם, חברים יקרים.</p>".repeat(4000));

  expect(view.querySelector("iframe")).not.toBeNull();
});

describe("SVG", () => {
  const nested = (levels: number): string =>
    `<svg xmlns="http://www.w3.org/2000/svg"><g id="g0"><rect/></g>${Array.from(
      { length: levels },
      (_, n) => `<g id="g${String(n + 1)}">${`<use href="#g${String(n)}"/>`.repeat(10)}</g>`,
    ).join("")}</svg>`;

  test("of elements that stand for 10 million is too large to be drawn", async () => {
    const view = await sealed("svg", nested(7));

    expect(view.textContent).toContain("This SVG is too large to be drawn.");
    expect(view.querySelector("iframe")).toBeNull();
  });

  test("of elements used a thousand times is drawn", async () => {
    const view = await sealed("svg", nested(3));

    expect(view.querySelector("iframe")).not.toBeNull();
  });

  const holding = (content: string): string => `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`;
  const html = (text: string): string =>
    `<foreignObject><pre xmlns="http://www.w3.org/1999/xhtml">${text}</pre></foreignObject>`;

  test.each([
    ["a text of a million characters", holding(`<text>${"x".repeat(1_000_000)}</text>`)],
    [
      "the same text in many places",
      holding(`<text id="a">${"x".repeat(20_000)}</text>${'<use href="#a"/>'.repeat(50)}`),
    ],
    ["HTML with 30,000 lines", holding(html("\n".repeat(30_000)))],
  ])("of %s is too large to be drawn", async (_what, svg) => {
    const view = await sealed("svg", svg);

    expect(view.textContent).toContain("This SVG is too large to be drawn.");
  });

  test.each([
    [
      "style, title and metadata as long as these are",
      holding(`<style>${"a{}".repeat(400_000)}</style><title>t</title>`),
    ],
    ["lines between its elements", holding("<g>\n\n\n</g>".repeat(5000))],
    ["some thousand labels", holding('<text x="1">label</text>'.repeat(4000))],
  ])("of %s is drawn", async (_what, svg) => {
    const view = await sealed("svg", svg);

    expect(view.querySelector("iframe")).not.toBeNull();
  });

  test("of elements that use themselves is too large to be drawn", async () => {
    const view = await sealed("svg", '<svg xmlns="http://www.w3.org/2000/svg"><g id="a"><use href="#a"/></g></svg>');

    expect(view.textContent).toContain("This SVG is too large to be drawn.");
  });
});

describe("a table", () => {
  test("of 1,000 records with 100 keys each of their own has 200 columns, and says how many there are", async () => {
    const records = Array.from({ length: 1000 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 100 }, (_, column) => [`k${String(row * 100 + column)}`, column])),
    );
    const view = new ContentView();
    view.form = contentForm("rows.json", new TextEncoder().encode(JSON.stringify(records)));
    view.full = true;
    document.body.append(view);
    await view.updateComplete;
    const table = view.querySelector("vitrine-app-data-table");
    if (table instanceof DataTable) await table.updateComplete;

    expect(view.querySelectorAll("th")).toHaveLength(200);
    expect(view.querySelectorAll("td")).toHaveLength(4000);
    expect(view.textContent).toContain("980 more rows, 99,800 more columns");
  });

  test("of thousands of cells is drawn over many frames, each with few of them, and says at once how much there is", async () => {
    const records = Array.from({ length: 1000 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 20 }, (_column, column) => [`k${String(column)}`, row])),
    );
    const view = new DataTable();
    view.table = tableOfRecords(records) ?? undefined;
    view.limit = 200;
    const added: number[] = [];
    const observer = new MutationObserver((changes) => {
      const cells = changes.flatMap(({ addedNodes }) =>
        [...addedNodes].flatMap((node) => (node instanceof HTMLTableRowElement ? [...node.cells] : [])),
      );
      added.push(cells.length);
    });
    document.body.append(view);
    observer.observe(view, { childList: true, subtree: true });
    await view.updateComplete;
    await Promise.resolve();
    observer.disconnect();

    expect(view.querySelectorAll("td")).toHaveLength(4000);
    expect(Math.max(...added)).toBeLessThanOrEqual(1200);
    expect(added.filter((count) => count > 0).length).toBeGreaterThan(3);
    expect(view.textContent).toContain("800 more rows");
  });
});
