import { afterEach, beforeEach, expect, test } from "vitest";

import { cellIn, drawn, messagesOf, partOf, partsOf, show, showCell, statusOf } from "./cell-page.js";
import { useScriptedParts, type ScriptedParts } from "./scripted-parts.js";

let scripted: ScriptedParts;

beforeEach(() => {
  scripted = useScriptedParts();
});

afterEach(() => {
  document.body.replaceChildren();
});

const requests = () => scripted.scripted.requests;

test.each([
  ["<pre><code>a = <span>1</span>\n</code></pre>", "a = 1"],
  ["<div class='highlight'><pre>\n  a = 1\n  b = 2</pre></div>", "a = 1\nb = 2"],
  ['<script type="text/x-python">\n  if a:\n    b\n</script>', "if a:\n  b"],
  ["<template>a &lt; 1</template>", "a < 1"],
  ['<pre slot="setup">no</pre><pre slot="check">no</pre><details><pre>no</pre></details><pre>a = 1</pre>', "a = 1"],
  ["<output><pre>no</pre></output><pre>a = 1</pre>", "a = 1"],
  [
    "<div class='highlight'><table><tr><td class='linenos'><div class='linenodiv'><pre>1\n2</pre></div></td><td><pre><code>a = 1\nb = 2</code></pre></td></tr></table></div>",
    "a = 1\nb = 2",
  ],
  ["<pre><span class='linenos'>1</span>a = 1\n<span class='linenos'>2</span>b = 2</pre>", "a = 1\nb = 2"],
  ["<pre><button>Copy</button><code>a = 1</code></pre>", "a = 1"],
  ["<pre><code><span>if a:<br></span><span><br></span><span>  b<br></span></code></pre>", "if a:\n\n  b"],
  [
    "<pre><code><div><div>if a:</div></div><div><div>\n</div></div><div><div>  b</div></div></code></pre>",
    "if a:\n\n  b",
  ],
])("the code of a cell is the text of %j", async (html, code) => {
  const cell = await showCell(`<vitrine-cell>${html}</vitrine-cell>`);
  expect(cell.code).toBe(code);

  await cell.run();

  expect(requests()[0]?.code).toBe(code);
});

test("code that no browser shows is shown by the cell", async () => {
  const cell = await showCell("<vitrine-cell><template>a = 1</template></vitrine-cell>");
  const shown = [...(cell.shadowRoot?.querySelectorAll("pre") ?? [])];
  expect(shown.map(({ textContent }) => textContent)).toEqual(["a = 1"]);
});

test("a run asks for what the attributes and the children say", async () => {
  const place = await show(`
    <script type="text/x-python" id="shared">
      shared = 1
    </script>
    <vitrine-cell session="tour" setup="#shared" deps="numpy" files="/data/a.csv" tools="price" timeout="none" trust="local">
      <pre>a = 1</pre>
      <pre hidden slot="setup">more = 2</pre>
      <pre hidden slot="check" data-wants="mean total" data-label="The mean is right">
        assert mean([1, 3]) == 2
      </pre>
      <pre hidden slot="check">assert True</pre>
    </vitrine-cell>`);

  await cellIn(place).run();

  expect(requests()[0]).toMatchObject({
    settings: {
      session: "tour",
      trust: "local",
      setup: "shared = 1\nmore = 2",
      deps: ["numpy"],
      packages: [],
      files: [{ url: new URL("/data/a.csv", location.href).href, path: "a.csv" }],
      tools: ["price"],
      timeout: null,
    },
    code: "a = 1",
    before: [],
    checks: [
      { code: "assert mean([1, 3]) == 2", wants: ["mean", "total"], label: "The mean is right" },
      { code: "assert True", wants: [], label: "Check 2" },
    ],
    name: "cell 1",
  });
});

test("hidden cells run before those after them that share their session, in the order of the page", async () => {
  const place = await show(`
    <vitrine-cell hidden session="tour" deps="numpy" files="/a.csv" setup="s = 0"><pre>one = 1</pre></vitrine-cell>
    <vitrine-cell hidden session="other"><pre>no = 1</pre></vitrine-cell>
    <vitrine-cell id="first" session="tour" deps="pandas numpy"><pre>print(one)</pre></vitrine-cell>
    <vitrine-cell hidden session="tour"><template>two = 2</template></vitrine-cell>
    <vitrine-cell id="second" session="tour"><pre>print(two)</pre></vitrine-cell>
    <vitrine-cell id="alone"><pre>print(3)</pre></vitrine-cell>`);

  for (const id of ["#first", "#second", "#alone"]) await cellIn(place, id).run();

  expect(requests().map(({ before }) => before)).toEqual([["s = 0\none = 1"], ["s = 0\none = 1", "two = 2"], []]);
  expect(requests().map(({ settings }) => settings.deps)).toEqual([["numpy", "pandas"], ["numpy"], []]);
  expect(requests().map(({ settings }) => settings.files.map(({ path }) => path))).toEqual([["a.csv"], ["a.csv"], []]);
  expect(requests().map(({ name }) => name)).toEqual(["cell 1", "cell 2", "cell 3"]);
  expect(cellIn(place, "[hidden]").shadowRoot).toBeNull();
});

test("a program reads what stands beside the code", async () => {
  const place = await show(`
    <vitrine-cell>
      <pre>x = 0</pre>
      <output><pre>1</pre></output>
      <pre hidden slot="check" data-wants="x">assert x == 1</pre>
      <details><pre>a hint</pre></details>
      <details slot="solution"><summary>Solution</summary><div><pre>
        x = 1
      </pre></div></details>
    </vitrine-cell>
    <vitrine-cell id="bare"><pre>1</pre></vitrine-cell>`);

  expect(cellIn(place).authored()).toEqual({
    result: { text: "1", isPreformatted: true },
    solution: "x = 1",
    checks: 1,
  });
  expect(cellIn(place, "#bare").authored()).toEqual({ result: null, solution: null, checks: 0 });
});

test("cells are labelled by their author, else by their place", async () => {
  const place = await show(`
    <vitrine-cell><pre>1</pre></vitrine-cell>
    <vitrine-cell hidden session="a"><pre>2</pre></vitrine-cell>
    <vitrine-cell label="Grouping rows"><pre>3</pre></vitrine-cell>
    <vitrine-cell><pre>4</pre></vitrine-cell>`);
  const labels = (): (string | null)[] =>
    [...place.querySelectorAll("vitrine-cell:not([hidden])")].map(
      (cell) => cell.shadowRoot?.querySelector("[role=group]")?.getAttribute("aria-label") ?? null,
    );
  expect(labels()).toEqual(["Python example 1", "Grouping rows", "Python example 3"]);

  place.prepend(cellIn(place, "vitrine-cell:last-child"));
  await drawn();

  expect(labels()).toEqual(["Python example 1", "Python example 2", "Grouping rows"]);
});

test.each([
  ['trust="root"', 'trust="root" is no trust level: write sandboxed, isolated or local.'],
  ['setup="#nowhere"', 'setup="#nowhere" names no element of this page.'],
])("with %s the cell says so, does not run, and runs once that is mended", async (attribute, sentence) => {
  const place = await show(`
    <vitrine-cell id="bad" ${attribute}><pre>1</pre></vitrine-cell>
    <vitrine-cell id="good"><pre>2</pre></vitrine-cell>`);
  const bad = cellIn(place, "#bad");
  const errors: string[] = [];
  place.addEventListener("vitrine-error", ({ detail }) => errors.push(detail.message));
  expect(messagesOf(bad)).toEqual([sentence]);

  partOf(bad, "run").click();
  expect(await bad.run()).toBeNull();
  await cellIn(place, "#good").run();

  expect(errors).toEqual([sentence]);
  expect(requests().map(({ code }) => code)).toEqual(["2"]);

  bad.removeAttribute(attribute.split("=")[0] ?? "");
  await drawn();
  expect(messagesOf(bad)).toEqual([]);
  partOf(bad, "run").click();
  await expect.poll(() => statusOf(bad)).toBe("Done in 0.3 s.");
});

test("a mistake in a hidden cell is named where its session is used, and two trust levels in one session too", async () => {
  const place = await show(`
    <vitrine-cell hidden session="tour" timeout="soon"><pre>1</pre></vitrine-cell>
    <vitrine-cell id="after" session="tour" trust="isolated"><pre>2</pre></vitrine-cell>
    <vitrine-cell id="check"><pre>3</pre><pre slot="check" data-wants="a.b" data-label="Right"></pre></vitrine-cell>
    <vitrine-cell id="empty"></vitrine-cell>`);
  expect(messagesOf(cellIn(place, "#after"))).toEqual([
    'trust: the session "tour" is sandboxed by its first cell, and this one is isolated.',
    'In a hidden cell of this session: timeout="soon" is no number of seconds: write one, or none for no limit.',
  ]);
  expect(messagesOf(cellIn(place, "#check"))).toEqual(['Right: data-wants names "a.b", which is no name in Python.']);

  expect(await cellIn(place, "#empty").run()).toBeNull();
  expect(messagesOf(cellIn(place, "#empty"))).toEqual(["This cell has no code: put a <pre> into it."]);
});

test("children that come later, and code that a script sets, are the cell's", async () => {
  const place = await show("");
  const cell = document.createElement("vitrine-cell");
  place.append(cell);
  await drawn();
  cell.innerHTML = "<pre><code>a <b>= 1</b></code></pre>";
  await drawn();
  expect(cell.querySelector("pre")?.getClientRects().length).toBe(1);
  expect(cell.code).toBe("a = 1");

  cell.code = "b = 2";

  expect(cell.querySelector("code")?.textContent).toBe("b = 2");
  expect(cell.code).toBe("b = 2");
});

test("a page may draw what stands in a cell again", async () => {
  const cell = await showCell("<vitrine-cell><pre>a = 1</pre><output>1</output></vitrine-cell>");
  await cell.run();

  cell.innerHTML = "<pre>a = 2</pre><output>2</output>";
  await drawn();

  expect(cell.code).toBe("a = 2");
  expect(cell.querySelector("pre")?.getClientRects().length).toBe(1);
  expect(partsOf(cell, "run")).toHaveLength(1);
});
