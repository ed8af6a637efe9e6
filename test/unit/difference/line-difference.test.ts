import { expect, test } from "vitest";

import { lineDifference, unifiedDifference } from "../../../src/difference/index.js";

const lines = (...texts: string[]): string => `${texts.join("\n")}\n`;
const marks = (before: string, after: string): string[] =>
  lineDifference(before, after).map(({ kind, text }) => `${{ same: " ", added: "+", removed: "-" }[kind]}${text}`);

test("what is inserted or taken out leaves the lines around it the same", () => {
  expect(marks(lines("a", "b", "c"), lines("a", "x", "b", "c"))).toEqual([" a", "+x", " b", " c"]);
  expect(marks(lines("a", "b", "c", "d"), lines("a", "d"))).toEqual([" a", "-b", "-c", " d"]);
  expect(marks(lines("a", "b", "c"), lines("c", "a"))).toEqual(["-a", "-b", " c", "+a"]);
  expect(marks("", "")).toEqual([]);
});

test("both sides can be put together again from a difference", () => {
  const pieces = ["def run():", "    x = 1", "", "    return x"];
  for (let seed = 1; seed < 200; seed += 1) {
    const pick = (factor: number): string[] =>
      Array.from({ length: (seed * factor) % 9 }, (_, index) => pieces[(seed * factor + index * index) % 4] ?? "");
    const [before, after] = [pick(7), pick(11)];

    const difference = lineDifference(lines(...before), lines(...after));

    const side = (other: "added" | "removed") =>
      difference.filter(({ kind }) => kind !== other).map(({ text }) => text);
    expect(side("added")).toEqual(before.length === 0 ? [""] : before);
    expect(side("removed")).toEqual(after.length === 0 ? [""] : after);
  }
});

test("a lone carriage return begins a line, as it does in Python", () => {
  expect(marks(lines("a # b"), "a # b\rimport os\r\n")).toEqual([" a # b", "+import os"]);
});

test("unified: three lines around each place, places that are far apart in hunks of their own", () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${String(index + 1)}`);
  const after = before.map((text) => (text === "line 2" ? "second" : text)).toSpliced(18, 1);

  expect(unifiedDifference(lines(...before), lines(...after))).toBe(
    [
      "@@ -1,5 +1,5 @@",
      " line 1",
      "-line 2",
      "+second",
      " line 3",
      " line 4",
      " line 5",
      "@@ -16,5 +16,4 @@",
      " line 16",
      " line 17",
      " line 18",
      "-line 19",
      " line 20",
    ].join("\n"),
  );
  expect(unifiedDifference(null, lines("a", "b"))).toBe("@@ -0,0 +1,2 @@\n+a\n+b");
  expect(unifiedDifference(lines("a"), lines("a"))).toBe("");
});

test("sources that are too long to compare are shown as taken out and put in", () => {
  const many = (word: string): string =>
    Array.from({ length: 2500 }, (_, index) => `${word} ${String(index)}`).join("\n");

  expect(new Set(lineDifference(many("a"), many("b")).map(({ kind }) => kind))).toEqual(new Set(["removed", "added"]));
});

test("a difference of many hunks names the lines of each", () => {
  const before = Array.from({ length: 20_000 }, (_, index) => `line ${String(index)}`);
  const after = before.flatMap((line, index) => (index % 10 === 9 ? ["new", line] : [line]));
  const hunks = unifiedDifference(before.join("\n"), after.join("\n"))
    .split("\n")
    .filter((line) => line.startsWith("@@"));

  // So many lines are compared between those that both texts have once.
  expect(hunks).toHaveLength(2000);
  expect(hunks.slice(0, 2)).toEqual(["@@ -7,6 +7,7 @@", "@@ -17,6 +18,7 @@"]);
});

test("of long texts what moved, and what is there more than once, is put together again", () => {
  const before = Array.from({ length: 5000 }, (_, index) => (index % 3 === 0 ? "" : `line ${String(index)}`));
  const after = [...before.slice(1000, 1100), ...before.slice(0, 1000), "new", ...before.slice(1100), "end"];

  const difference = lineDifference(lines(...before), lines(...after));

  const side = (other: "added" | "removed") => difference.filter(({ kind }) => kind !== other).map(({ text }) => text);
  expect(side("added")).toEqual(before);
  expect(side("removed")).toEqual(after);
  expect(difference.filter(({ kind }) => kind !== "same")).toHaveLength(202);
});

test("each of many hunks has its place", () => {
  const before = Array.from({ length: 1000 }, (_, index) => `line ${String(index)}`);
  const after = before.map((line, index) => (index % 10 === 5 ? "new" : line));
  const hunks = unifiedDifference(before.join("\n"), after.join("\n"))
    .split("\n")
    .filter((line) => line.startsWith("@@"));

  expect(hunks).toHaveLength(100);
  expect(hunks.at(0)).toBe("@@ -3,7 +3,7 @@");
  expect(hunks.at(99)).toBe("@@ -993,7 +993,7 @@");
});
