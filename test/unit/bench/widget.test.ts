import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { countAfterClick, countBeforeClick, notMeasured, usageClaims } from "../../../bench/comparisons/widget.js";
import type { BeforeClick, ClickToOutput } from "../../../bench/pages/bench-page.js";
import { rowOf } from "../../../bench/report.js";
import { startServer } from "../../../bench/server.js";
import { docsPage, examples } from "../../../bench/widget/docs-page.js";

const before: BeforeClick = {
  ...{ domContentLoaded: 40, load: 60, firstPaint: 50 },
  ...{ requests: 4, bytes: 1500, longTasks: 0, longestTask: 0, layoutShift: 0 },
};
const run: ClickToOutput = {
  ...{ time: 900, stretch: 30, requests: 14, bytes: 14_000_000 },
  ...{ longTasks: 0, longestTask: 0, layoutShift: 0 },
};

/** The row whose name begins so: subject, baseline, goal, verdict. */
function row(outcomes: ReturnType<typeof countBeforeClick>, name: string): (string | undefined)[] {
  const cells = outcomes.map(rowOf).find(([first]) => first?.startsWith(name) === true) ?? [];
  return [1, 2, 6, 7].map((column) => cells[column]);
}

test("before a click the widget may add twenty thousand bytes and one request to its page", () => {
  const widget = { ...before, requests: 5, bytes: 21_500 };

  const met = countBeforeClick({ subject: [widget], baseline: [before] });
  const missed = countBeforeClick({ subject: [{ ...widget, requests: 6, bytes: 21_501 }], baseline: [before] });

  expect(row(met, "bytes before")).toEqual(["21.5 kB", "1.50 kB", "≤ 21.5 kB", "met"]);
  expect(row(met, "requests before")).toEqual(["5", "4", "≤ 5", "met"]);
  expect(row(missed, "bytes before")[3]).toBe("not met");
  expect(row(missed, "requests before")[3]).toBe("not met");
});

test("a page that shifts or stalls by itself is not the widget's fault", () => {
  const restless = { ...before, longTasks: 2, longestTask: 70, layoutShift: 0.1 };

  const outcomes = countBeforeClick({ subject: [restless], baseline: [restless] });

  expect(row(outcomes, "long tasks before")).toEqual(["2", "2", "≤ 2", "met"]);
  expect(row(outcomes, "longest long task")).toEqual(["70.0 ms", "70.0 ms", "–", ""]);
  expect(row(outcomes, "layout shift before")).toEqual(["0.10", "0.10", "≤ 0.10", "met"]);
});

test("the worst of all visits counts", () => {
  const visits = { subject: [before, { ...before, longTasks: 1, longestTask: 55 }, before], baseline: [before] };

  expect(row(countBeforeClick(visits), "long tasks before")).toEqual(["1", "0", "≤ 0", "not met"]);
});

test("from a click on, whatever stalls or shifts the page is too much, and bytes have no limit", () => {
  const bare = { ...run, longTasks: 2, longestTask: 1500, bytes: 6_000_000 };

  const outcomes = countAfterClick("first visit", { subject: [{ ...run, longTasks: 1 }], baseline: [bare] });

  expect(row(outcomes, "long tasks from")).toEqual(["1", "2", "≤ 0", "not met"]);
  expect(row(outcomes, "bytes, compressed from")).toEqual(["14.0 MB", "6.00 MB", "–", ""]);
});

test("what an engine does not tell is said to be not measured, and nothing is made up for it", () => {
  const silent = { ...run, longTasks: null, longestTask: null, layoutShift: null, bytes: null };

  const outcomes = countAfterClick("next page", { subject: [silent], baseline: [silent] });

  const not = "not measured in this engine: ";
  expect(row(outcomes, "long tasks")).toEqual(["–", "–", "–", `${not}no \`longtask\` entries`]);
  expect(row(outcomes, "layout shift")[3]).toBe(`${not}no \`layout-shift\` entries`);
  expect(row(outcomes, "bytes")[3]).toBe(`${not}no sizes in its resource timing`);
  expect(row(outcomes, "requests")[0]).toBe("14");
  expect(notMeasured(usageClaims, "no heap").map((each) => rowOf(each).slice(-2))).toContainEqual([
    "≤ 1.2",
    `${not}no heap`,
  ]);
});

test("a side without a visit is a row without figures", () => {
  expect(row(countBeforeClick({ subject: [], baseline: [before] }), "bytes")[3]).toMatch(/^not run/);
});

test("the three pages differ by what runs their examples alone", () => {
  const [widget, plain, bare] = (["widget", "plain", "bare"] as const).map((kind) => docsPage(kind, 5));

  expect(widget?.replace(/\n *<script type="module" src="[^"]*"><\/script>/, "")).toBe(plain);
  expect(plain).not.toContain("<script");
  expect(bare).not.toContain("vitrine");
  for (const { id, prints } of Object.values(examples)) {
    for (const page of [widget, bare]) {
      expect(page).toContain(`id="${id}"`);
      expect(page).toContain(prints);
    }
  }
});

test("a page has as many examples as it is asked for, each with an id of its own", () => {
  for (const count of [5, 200]) {
    const ids = Array.from(docsPage("widget", count).matchAll(/<vitrine-cell id="([^"]*)"/g), ([, id]) => id);
    expect(new Set(ids).size).toBe(count);
    expect(ids).toHaveLength(count);
  }
});

test("a server that compresses does so with text and WebAssembly, and leaves the rest as it is", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-bench-server-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ["page.html", "script.js", "data.bin"])
    await writeFile(join(folder, name), "text ".repeat(50_000));
  const server = await startServer({ folders: [["/", folder]], gzip: true });
  onTestFinished(() => server.close());

  const answers = await Promise.all(["page.html", "script.js", "data.bin"].map((name) => fetch(server.url + name)));

  expect(answers.map(({ headers }) => headers.get("content-encoding"))).toEqual(["gzip", "gzip", null]);
  expect(Number(answers[1]?.headers.get("content-length"))).toBeLessThan(2000);
  for (const answer of answers) expect(await answer.text()).toHaveLength(250_000);
});
