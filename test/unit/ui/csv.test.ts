import { describe, expect, test } from "vitest";

import { isNumeric, parseCsv, tableOfRecords } from "../../../src/ui/state/text/csv.js";

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
    expect(parseCsv("\uFEFFa,b\n\n1,2\n\n")).toEqual({
      columns: ["a", "b"],
      rows: [["1", "2"]],
      total: 1,
      columnCount: 2,
    });
  });

  test("columns beyond 200 are counted and not kept", () => {
    const table = parseCsv(`${"a,".repeat(999)}a\n${"1,".repeat(999)}1\n`);

    expect(table?.columns).toHaveLength(200);
    expect(table?.rows.map(({ length }) => length)).toEqual([200]);
    expect(table?.columnCount).toBe(1000);
  });

  test("lines may end in several ways within one file", () => {
    expect(parseCsv("a,b\r\n1,2\n3,4\r5,6")?.rows).toEqual([
      ["1", "2"],
      ["3", "4"],
      ["5", "6"],
    ]);
  });

  test("what follows a closing quote belongs to its cell, up to the delimiter", () => {
    expect(parseCsv('a,b\n"x"y,2\n3,4')?.rows).toEqual([
      ["xy", "2"],
      ["3", "4"],
    ]);
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
    columnCount: 2,
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
    columnCount: 2,
  };

  expect(isNumeric(table, 0)).toBe(true);
  expect(isNumeric(table, 1)).toBe(false);
});

test("a very long text of digits is no number, and is not searched for one", () => {
  const table = { columns: ["a"], rows: [[`${"1".repeat(500_000)}x`]], total: 1, columnCount: 1 };

  expect(isNumeric(table, 0)).toBe(false);
});

describe("records of any size as a table", () => {
  test("of very wide ones fewer are read, and all are counted", () => {
    const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key${String(index)}`, index]));
    const table = tableOfRecords(Array<unknown>(500).fill(wide), 1000);

    expect(table).toMatchObject({ total: 500, columnCount: 1000 });
    expect(table?.columns).toHaveLength(200);
    expect(table?.rows).toHaveLength(101);
  });

  test("a short list in a cell is written, of a long one its length", () => {
    const table = tableOfRecords([
      { short: [1, { a: 2n }], long: Array(5000).fill(0), wide: { all: Array(5000).fill(0) } },
    ]);

    expect(table?.rows).toEqual([['[1,{"a":"2"}]', "[5,000 items]", "{…}"]]);
  });

  test("of a long text in a list the beginning is written", () => {
    const [[cell = ""] = []] = tableOfRecords([{ a: ["x".repeat(10_000)] }])?.rows ?? [];

    expect(cell).toBe(`["${"x".repeat(2000)}…"]`);
  });

  test("of very many lists in cells only the first are written", () => {
    const table = tableOfRecords(Array.from({ length: 100 }, () => ({ a: Array(900).fill(0) })));

    expect(table?.rows[0]?.[0]).toMatch(/^\[0,0,/);
    expect(table?.rows[99]?.[0]).toBe("[900 items]");
  });
});
