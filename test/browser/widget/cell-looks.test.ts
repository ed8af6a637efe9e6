import axe from "axe-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";

import { cellIn, drawn, partOf, partsOf, show, until, type VitrineCell } from "./cell-page.js";
import { outcome, useScriptedParts, type ScriptedParts } from "./scripted-parts.js";

let scripted: ScriptedParts;

beforeEach(async () => {
  scripted = useScriptedParts();
  await page.viewport(900, 700);
});

afterEach(() => {
  document.body.replaceChildren();
  document.documentElement.removeAttribute("dir");
  document.documentElement.style.removeProperty("color-scheme");
  document.documentElement.style.removeProperty("background");
});

/** How authors and generators write cells, between texts whose margins collapse with theirs. */
const pages = [
  "<vitrine-cell><pre><code>a = 1</code></pre></vitrine-cell>",
  "<vitrine-cell>\n  <pre><code>a = 1</code></pre>\n  <output><pre>1</pre></output>\n</vitrine-cell>",
  "<vitrine-cell><pre>a = 1</pre><output>1</output></vitrine-cell>",
  "<vitrine-cell><div class='highlight'><pre>a = 1</pre></div><output><table><tr><td>1</td></tr></table></output></vitrine-cell>",
  `<vitrine-cell><p>First</p><pre>a = 1</pre><pre hidden slot="setup">b</pre><pre hidden slot="check">c</pre>
   <details slot="solution"><summary>Solution</summary><pre>d</pre></details></vitrine-cell>`,
  '<div style="display: flex"><vitrine-cell><pre>a = 1</pre><output>1</output></vitrine-cell></div>',
  '<div style="display: grid"><vitrine-cell style="border: 1px solid; padding: 3px"><pre>a = 1</pre></vitrine-cell></div>',
];

/** Where all that a reader sees is, but for the cells: one that is not upgraded is inline, and its own box means nothing. */
function places(root: Element): string[] {
  return [...root.querySelectorAll("*:not(vitrine-cell, script)")].map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return `${element.localName} ${left} ${top} ${width} × ${height}`;
  });
}

test("nothing moves when the widget comes: cells take the room of the HTML in them", async () => {
  await page.viewport(900, 1600);
  const frame = document.createElement("iframe");
  frame.width = "800";
  frame.height = "1500";
  document.body.append(frame);
  const inside = frame.contentDocument;
  if (inside === null) throw new Error("The frame has no document.");
  inside.body.innerHTML = `<p>Before</p>${pages.join("<p>Between</p>")}<p>After</p>`;
  const before = places(inside.body);
  const height = inside.documentElement.scrollHeight;

  const script = inside.createElement("script");
  script.type = "module";
  script.textContent = 'import("/src/ui/widget/cell/define-cell.ts").then((module) => module.defineCell());';
  inside.body.append(script);
  const cells = [...inside.querySelectorAll("vitrine-cell")];
  await until(() => expect(cells.map((cell) => cell.shadowRoot === null)).toEqual(pages.map(() => false)));
  await drawn();

  expect(places(inside.body)).toEqual(before);
  expect(inside.documentElement.scrollHeight).toBe(height);
});

test("a result that fits into the room of the author's moves nothing below it when it comes", async () => {
  const lines = ["one", "two", "three", "four"].join("\n");
  const markup = `<vitrine-cell><pre>a = 1</pre><output><pre>${lines}</pre></output></vitrine-cell>`;
  const place = await show(`${markup}<p id="after">After</p>`);
  const cell = cellIn(place);
  const tops = (): (number | undefined)[] =>
    [place.querySelector("#after"), partOf(cell, "bar")].map((each) => each?.getBoundingClientRect().top);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let before: (number | undefined)[] = [];
  scripted.scripted.script = async ({ onOutput, onPhase }) => {
    onPhase({ kind: "running" });
    await promise;
    before = tops();
    onOutput({ kind: "stdout", text: "one\n" });
    return outcome({ text: "one\n" });
  };

  const run = cell.run();
  await drawn();
  resolve(undefined);
  await run;
  await drawn();

  expect(partOf(cell, "output").textContent).toBe("one\n");
  expect(tops()).toEqual(before);
  cell.reset();
  expect(cell.querySelector("output")?.getClientRects().length).toBeGreaterThan(0);
});

test("a run adds a card below the code; the text after it keeps its distance", async () => {
  const place = await show("<p>Before</p><vitrine-cell><pre>a = 1</pre></vitrine-cell><p id='after'>After</p>");
  const cell = cellIn(place);
  const code = cell.querySelector("pre")?.getBoundingClientRect();
  const after = (): number => place.querySelector("#after")?.getBoundingClientRect().top ?? 0;
  const distance = after() - (code?.bottom ?? 0);

  await cell.run();

  expect(cell.querySelector("pre")?.getBoundingClientRect().top).toBe(code?.top);
  const card = cell.shadowRoot?.querySelector(".after")?.getBoundingClientRect();
  expect((card?.top ?? 0) - (code?.bottom ?? 0)).toBeCloseTo(6, 1);
  expect(after() - (card?.bottom ?? 0)).toBeCloseTo(distance, 1);
});

const everything = `
  <h1>A page</h1>
  <vitrine-cell id="all" session="tour" demo="https://demo.example/" label="Everything" expected>
    <pre><code>a = 1</code></pre><output>1</output>
    <details slot="solution"><summary>Solution</summary><pre>a</pre></details>
  </vitrine-cell>
  <vitrine-cell id="bad" trust="root"><pre>a = 1</pre></vitrine-cell>
  <vitrine-cell id="asking"><pre>input()</pre></vitrine-cell>
  <vitrine-cell id="loading"><pre>a = 1</pre></vitrine-cell>
  <vitrine-cell id="fresh"><template>a = "a line that is longer than a narrow screen, and then some"</template></vitrine-cell>`;

async function showEverything(): Promise<HTMLElement> {
  const place = await show(everything);
  const runtime = scripted.scripted;
  runtime.script = ({ onOutput }) => {
    onOutput({ kind: "stdout", text: "2\n" });
    const checks = [
      { kind: "passed" as const, label: "The mean is right" },
      { kind: "failed" as const, label: "An empty list", reason: "AssertionError: mean([]) must raise ValueError" },
    ];
    return Promise.resolve(outcome({ text: "2\n", checks }));
  };
  await cellIn(place, "#all").run();
  runtime.script = ({ code, signal, onPhase, onInput }) => {
    onPhase({ kind: "loading-python", loaded: 3_900_000, total: 6_300_000 });
    if (code === "input()") void onInput("What is your name? ", { signal }).catch(() => undefined);
    return new Promise(() => undefined);
  };
  void cellIn(place, "#asking").run();
  void cellIn(place, "#loading").run();
  await until(() => expect(partsOf(cellIn(place, "#asking"), "input")).toHaveLength(1));
  await drawn();
  return place;
}

async function violations(root: Element): Promise<string[]> {
  const found = await axe.run(root, { rules: { "target-size": { enabled: true } } });
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

test.each(["light", "dark"])("axe finds nothing in cells of a %s page, whatever they are at", async (scheme) => {
  document.documentElement.style.setProperty("color-scheme", scheme);
  document.documentElement.style.setProperty("background", scheme === "dark" ? "#101214" : "#fff");
  const place = await showEverything();
  place.style.setProperty("color", scheme === "dark" ? "#e6e6e2" : "#1c1f21");
  expect(await violations(place)).toEqual([]);
});

const sides = (element: Element): [number, number] => {
  const { left, right } = element.getBoundingClientRect();
  return [left, right];
};

test.each(["ltr", "rtl"])(
  "on a narrow %s page nothing is wider than the page, and buttons are large enough",
  async (dir) => {
    await page.viewport(360, 700);
    document.documentElement.setAttribute("dir", dir);
    const place = await showEverything();

    expect(document.documentElement.scrollWidth).toBe(360);
    for (const cell of place.querySelectorAll("vitrine-cell")) {
      for (const button of cell.shadowRoot?.querySelectorAll("button") ?? []) {
        if (button.getClientRects().length === 0) continue;
        const [left, right] = sides(button);
        expect([left >= 0, right <= 360, button.offsetHeight >= 24], button.textContent).toEqual([true, true, true]);
      }
    }
  },
);

test("code goes from left to right on every page, and the buttons lie over the ends of its lines", async () => {
  document.documentElement.setAttribute("dir", "rtl");
  const place = await show("<vitrine-cell><pre><code>a = 1</code></pre></vitrine-cell>");
  const cell = cellIn(place);
  const pre = cell.querySelector("pre");
  if (pre === null) throw new Error("The cell has no code.");

  expect(sides(pre)[1] - sides(partOf(cell, "run"))[1]).toBe(6);
  expect(getComputedStyle(pre).direction).toBe("ltr");
  expect(place.querySelector("code")?.getBoundingClientRect().left).toBe(sides(pre)[0]);
});

test("the editor has the place, the font and the room of the code", async () => {
  const place = await show(
    `<vitrine-cell><pre style="font: 15px/25px serif; padding: 7px 9px; border: 2px solid; margin: 11px 3px"><code
      style="padding: 1px; font-size: 14px">a = 1</code></pre></vitrine-cell>`,
  );
  const cell = cellIn(place);
  const pre = cell.querySelector("pre");
  if (pre === null) throw new Error("The cell has no code.");
  const { left, top, width } = pre.getBoundingClientRect();

  partOf(cell, "edit").click();
  await until(() => expect(partsOf(cell, "editor")).toHaveLength(1));

  const editor = partOf(cell, "editor");
  const box = editor.getBoundingClientRect();
  expect([box.left, box.top, box.width]).toEqual([left, top, width]);
  const style = getComputedStyle(editor);
  expect([style.fontFamily, style.fontSize, style.lineHeight]).toEqual(["monospace", "14px", "25px"]);
  expect(style.getPropertyValue("--cell-padding")).toBe("10px 12px 10px 12px");
});

test("in a flex box, where margins do not collapse, the buttons lie over the code too", async () => {
  const place = await show('<div style="display: flex"><vitrine-cell><pre>a = 1</pre></vitrine-cell></div>');
  const cell = cellIn(place);
  const top = cell.querySelector("pre")?.getBoundingClientRect().top ?? 0;
  await until(() => expect(partOf(cell, "buttons").getBoundingClientRect().top).toBeCloseTo(top + 6, 1));
});

test("of two hundred cells those near what is seen are drawn, with one style sheet, and no element of the page more", async () => {
  const place = await show("<vitrine-cell><pre>a\nb\nc</pre></vitrine-cell>".repeat(200));
  const cells = [...place.querySelectorAll("vitrine-cell")];
  const withTree = cells.filter(({ shadowRoot }) => shadowRoot !== null);
  const sheets = new Set(withTree.flatMap(({ shadowRoot }) => shadowRoot?.adoptedStyleSheets ?? []));

  expect(withTree.length).toBeLessThan(40);
  expect(sheets.size).toBe(1);
  expect(place.querySelectorAll("*")).toHaveLength(400);
  expect(place.querySelectorAll("[style]")).toHaveLength(0);

  const last = cellIn(place, "vitrine-cell:last-child");
  expect((await last.run())?.text).toBe("ran a\nb\nc\n");
  last.scrollIntoView();
  await until(() => expect(partsOf(last, "run")).toHaveLength(1));
});

test("the page's properties set the colours", async () => {
  const place = await show('<vitrine-cell style="--vitrine-accent: rgb(1, 2, 3)"><pre>a = 1</pre></vitrine-cell>');
  const cell: VitrineCell = cellIn(place);
  expect(getComputedStyle(partOf(cell, "run")).backgroundColor).toBe("rgb(1, 2, 3)");
});
