import { expect, test } from "vitest";

import { fileDifference } from "../../../src/ui/state/text/file-difference.js";

const lines = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${String(index + 1)}`);
const textOf = (all: readonly string[]): string => `${all.join("\n")}\n`;

test("places that are far from one another are hunks of their own, numbered as diff -u does", () => {
  const before = lines(40);
  const after = [...before.slice(0, 4), "new", ...before.slice(4, 30), ...before.slice(31)];

  const difference = fileDifference({ path: "a", before: textOf(before), after: textOf(after) });

  if (difference.kind !== "lines") throw new Error("It has no lines.");
  const { hunks, added, removed, note } = difference;
  expect({ added, removed, note }).toEqual({ added: 1, removed: 1, note: "" });
  expect(hunks.map(({ range, skipped }) => [range, skipped])).toEqual([
    ["@@ -2,6 +2,7 @@", 1],
    ["@@ -28,7 +29,6 @@", 20],
  ]);
  expect(hunks[0]?.lines[3]).toEqual({ kind: "added", text: "new", before: null, after: 5 });
  expect(hunks[1]?.lines[3]).toEqual({ kind: "removed", text: "line 31", before: 31, after: null });
});

test("a file that was made or deleted is new or gone line by line", () => {
  expect(fileDifference({ path: "a", before: null, after: "x\ny" })).toMatchObject({
    added: 2,
    removed: 0,
    hunks: [{ range: "@@ -0,0 +1,2 @@" }],
  });
  expect(fileDifference({ path: "a", before: "x\n", after: null })).toMatchObject({
    added: 0,
    removed: 1,
    hunks: [{ range: "@@ -1,1 +0,0 @@" }],
    note: "",
  });
});

test("what the lines do not show is said", () => {
  const note = (before: string, after: string) => fileDifference({ path: "a", before, after });

  expect(note("a\nb\n", "a\nc")).toMatchObject({ note: "The last line has no end any more." });
  expect(note("a\nb", "a\nc\n")).toMatchObject({ note: "The last line has an end now." });
  expect(note("a\r\nb\r\n", "a\nc\n")).toMatchObject({ note: "The ends of lines are of another kind." });
  expect(note("a", "a")).toEqual({ kind: "words", words: "Nothing is different." });
  const tooLarge = { kind: "words", words: "Too large to be compared here." };
  expect(note("a".repeat(2_000_001), "b".repeat(2_000_000))).toEqual(tooLarge);
  expect(note("\n".repeat(25_001), "\r".repeat(25_000))).toEqual(tooLarge);
});
