import { describe, expect, test } from "vitest";

import { isNumeric, parseCsv, tableOfRecords } from "../../../src/ui/state/csv.js";

describe("CSV as a table", () => {
  test("quotes keep delimiters, quotes and line ends inside a field", () => {
    const table = parseCsv('name,note\n"Hill, upper","said ""hi""\nand left"\r\nPlain,x\n');

    expect(table?.columns).toEqual(["name", "note"]);
    expect(table?.rows).toEqual([
      ["Hill, upper", 'said "hi"\nand left'],
      ["Plain", "x"],
    ]);
  });

  test.each([
    [";", "a;b\n1;2"],
    ["tab", "a\tb\n1\t2"],
    ["|", "a|b\n1|2"],
  ])("a file with %s between its fields is read too", (_name, text) => {
    expect(parseCsv(text)?.rows).toEqual([["1", "2"]]);
  });

  test("rows beyond the limit are counted and not kept", () => {
    const table = parseCsv("n\n1\n2\n3\n", 2);

    expect(table?.rows).toHaveLength(2);
    expect(table?.total).toBe(3);
  });

  test("a byte order mark and empty lines are no data", () => {
    expect(parseCsv("\uFEFFa,b\n\n1,2\n\n")).toEqual({ columns: ["a", "b"], rows: [["1", "2"]], total: 1 });
  });

  test("an unclosed quote loses nothing", () => {
    expect(parseCsv('a\n"open')?.rows).toEqual([["open"]]);
  });
});

test("an array of objects is a table of all their keys; any other value is none", () => {
  expect(tableOfRecords([{ a: 1 }, { b: null, a: "x" }])).toEqual({
    columns: ["a", "b"],
    rows: [
      ["1", ""],
      ["x", ""],
    ],
    total: 2,
  });
  expect(tableOfRecords([1, 2])).toBeNull();
  expect(tableOfRecords([])).toBeNull();
  expect(tableOfRecords({ a: 1 })).toBeNull();
});

test("a column counts as numbers when all that it has are numbers", () => {
  const table = {
    columns: ["a", "b"],
    rows: [
      ["1.5", "x"],
      ["", "2"],
      ["-3e4", "3"],
    ],
    total: 3,
  };

  expect(isNumeric(table, 0)).toBe(true);
  expect(isNumeric(table, 1)).toBe(false);
});
