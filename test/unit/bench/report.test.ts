import { describe, expect, test } from "vitest";

import type { Counted, NotRun, Result } from "../../../bench/comparison.js";
import { replaceSection } from "../../../bench/docs.js";
import { parseOptions } from "../../../bench/options.js";
import { amount, jsonResults, markdownTable, milliseconds, rowOf } from "../../../bench/report.js";

const claim = { name: "open / bare", subject: "Session.open", baseline: "bare", goal: 0.8 };
const measured: Result = {
  ...claim,
  kind: "measured",
  subjectTime: 512.34567,
  baselineTime: 1024.6,
  ratio: 0.500123,
  low: 0.48,
  high: 0.52,
  pairs: 10,
  verdict: "below",
};
const counted: Counted = {
  ...{ ...claim, goal: null, unit: "bytes", kind: "counted" },
  ...{ subjectMost: 14_432, baselineMost: 1534, most: 21_534 },
};
const notRun: NotRun = { ...claim, kind: "not run", reason: "no such thing here" };

describe("jsonResults", () => {
  test("gives one line with exactly the agreed keys for everything measured", () => {
    expect(jsonResults([measured, notRun], "Chromium 156")).toEqual([
      {
        name: "open / bare",
        browser: "Chromium 156",
        subject: 512.3,
        baseline: 1025,
        unit: "ms",
        ratio: 0.5001,
        low: 0.48,
        high: 0.52,
        goal: 0.8,
      },
    ]);
  });
});

describe("jsonResults of what is counted", () => {
  test("gives the ratio of both sides, and the most that the subject may have", () => {
    const [result] = jsonResults([counted], "Chromium 156");

    expect(result).toMatchObject({ subject: 14_432, baseline: 1534, unit: "bytes", ratio: 9.408, most: 21_534 });
    expect(result).toMatchObject({ low: 9.408, high: 9.408, goal: null });
  });

  test("gives no ratio to a baseline of nothing, and no limit where there is none", () => {
    const [result] = jsonResults([{ ...counted, unit: "count", baselineMost: 0, most: null }], "Chromium 156");

    expect(result).toMatchObject({ unit: "count", ratio: null, low: null, high: null });
    expect(result).not.toHaveProperty("most");
  });
});

describe("rowOf", () => {
  test("holds what is counted against the most that it may be, without an interval", () => {
    const row = ["open / bare", "14.4 kB", "1.53 kB", "9.41", "–", "–", "≤ 21.5 kB", "met"];
    expect(rowOf(counted)).toEqual(row);
    expect(rowOf({ ...counted, most: 14_431 }).at(-1)).toBe("not met");
    expect(rowOf({ ...counted, most: null }).slice(-2)).toEqual(["–", ""]);
    expect(rowOf({ ...counted, baselineMost: 0 })[3]).toBe("–");
  });

  test("says which engine does not tell a figure", () => {
    const row = rowOf({ ...notRun, kind: "not measured in this engine", reason: "no `longtask` entries" });
    expect(row.at(-1)).toBe("not measured in this engine: no `longtask` entries");
    expect(row.slice(1, 3)).toEqual(["–", "–"]);
  });

  test("calls bytes smaller or larger, and not faster", () => {
    const bytes: Result = { ...measured, goal: null, unit: "bytes", subjectTime: 849_000 };
    expect(rowOf(bytes)[1]).toBe("849 kB");
    expect(rowOf(bytes).at(-1)).toBe("smaller");
    expect(rowOf({ ...bytes, verdict: "above" }).at(-1)).toBe("larger");
  });

  test("says whether a goal was met, missed or left open", () => {
    expect(rowOf(measured).at(-1)).toBe("met");
    expect(rowOf({ ...measured, verdict: "above" }).at(-1)).toBe("not met");
    expect(rowOf({ ...measured, verdict: "not resolved" }).at(-1)).toBe("not resolved");
  });

  test("compares the sides where there is no goal", () => {
    expect(rowOf({ ...measured, goal: null }).at(-1)).toBe("faster");
    expect(rowOf({ ...measured, goal: null, verdict: "above" }).at(-1)).toBe("slower");
  });

  test("keeps what could not be tried, with the reason", () => {
    expect(rowOf(notRun)[0]).toBe("open / bare");
    expect(rowOf(notRun).at(-1)).toBe("not run: no such thing here");
    expect(rowOf({ ...notRun, kind: "not available" }).at(-1)).toBe("not available: no such thing here");
  });
});

test("times are written with three digits and the unit that fits", () => {
  expect(milliseconds(0.0421)).toBe("42.1 µs");
  expect(milliseconds(12.345)).toBe("12.3 ms");
  expect(milliseconds(2345.6)).toBe("2.35 s");
  expect([milliseconds(0.999_999), milliseconds(999.96)]).toEqual(["1.00 ms", "1.00 s"]);
});

test("amounts are written in their unit", () => {
  expect(amount(12.345)).toBe("12.3 ms");
  expect([amount(0, "bytes"), amount(999, "bytes")]).toEqual(["0 B", "999 B"]);
  expect([amount(999_499, "bytes"), amount(999_500, "bytes"), amount(14_700_000, "bytes")]).toEqual([
    "999 kB",
    "1.00 MB",
    "14.7 MB",
  ]);
  expect(amount(14, "count")).toBe("14");
  expect([amount(0, "score"), amount(0.01234, "score")]).toEqual(["0", "0.012"]);
});

test("a bar in a cell does not break the Markdown table", () => {
  expect(markdownTable(["a", "b"], [["1|2", "3"]])).toBe("| a | b |\n| :-- | --: |\n| 1\\|2 | 3 |");
});

describe("replaceSection", () => {
  test("changes what lies between the marks and nothing else", () => {
    const document = "before\n<!-- results -->\nold\n<!-- /results -->\nafter\n";

    expect(replaceSection(document, "results", "new")).toBe(
      "before\n<!-- results -->\n\nnew\n\n<!-- /results -->\nafter\n",
    );
  });

  test("refuses a document without the marks", () => {
    expect(() => replaceSection("text", "results", "new")).toThrow("There is no section");
  });
});

describe("parseOptions", () => {
  test("knows what the command line may say", () => {
    expect(parseOptions(["--engine", "firefox", "--json", "out.json", "--only", "JSPI", "--quick"])).toEqual({
      engines: ["firefox"],
      areEnginesNamed: true,
      json: "out.json",
      only: "jspi",
      parts: ["interpreter", "tools", "agents", "write-code", "load", "packages", "widget"],
      quick: true,
      writeDocs: false,
      help: false,
    });
  });

  test("measures in every engine unless some are named, each once and in a fixed order", () => {
    expect(parseOptions([])).toMatchObject({ engines: ["chromium", "firefox", "webkitgtk"], areEnginesNamed: false });
    expect(parseOptions(["--engine", "all"]).engines).toEqual(["chromium", "firefox", "webkitgtk"]);
    expect(parseOptions(["--engine", "webkitgtk", "--engine", "chromium"]).engines).toEqual(["chromium", "webkitgtk"]);
  });

  test("keeps a part of the figures from replacing all of them in the docs", () => {
    expect(parseOptions(["--write-docs"]).writeDocs).toBe(true);
    expect(parseOptions(["--write-docs", "--part", "tools"])).toMatchObject({ writeDocs: true, parts: ["tools"] });
    expect(() => parseOptions(["--write-docs", "--only", "JSPI"])).toThrow("--only");
  });

  test("refuses what it does not know, by name", () => {
    expect(() => parseOptions(["--fast"])).toThrow("--fast");
    expect(() => parseOptions(["--engine", "safari"])).toThrow("safari");
    expect(() => parseOptions(["--part", "weather"])).toThrow("weather");
  });
});
