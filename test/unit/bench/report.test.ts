import { describe, expect, test } from "vitest";

import type { NotRun, Result } from "../../../bench/comparison.js";
import { replaceSection } from "../../../bench/docs.js";
import { parseOptions } from "../../../bench/options.js";
import { jsonResults, markdownTable, milliseconds, rowOf } from "../../../bench/report.js";

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

describe("rowOf", () => {
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
      parts: ["interpreter", "tools", "agents", "write-code", "load", "packages"],
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
