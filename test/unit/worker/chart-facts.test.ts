import { expect, test } from "vitest";

import { chartFacts } from "../../../worker/charts/chart-facts.js";

const rows = [{ a: 1 }, { a: 2 }];
const table = { rows: JSON.stringify(rows), rowCount: 2 };

test("a chart is called by its description, else by its title, whatever form that has", () => {
  expect(chartFacts({ description: "Rain by month", title: "Rain" }).name).toBe("Rain by month");
  expect(chartFacts({ title: "Rain" }).name).toBe("Rain");
  expect(chartFacts({ title: ["Rain", "in Oslo"] }).name).toBe("Rain in Oslo");
  expect(chartFacts({ title: { text: ["Rain", "in Oslo"], anchor: "start" } }).name).toBe("Rain in Oslo");
  expect(chartFacts({ title: { text: { signal: "x" } }, description: 5 }).name).toBe("");
  expect(chartFacts({ description: "x".repeat(5000) }).name).toHaveLength(1000);
});

test("its data are the first list of records at its top: its own, those with a name, one of several", () => {
  expect(chartFacts({ data: { values: rows } })).toMatchObject(table);
  expect(chartFacts({ data: { name: "d" }, datasets: { numbers: [1, 2], d: rows } })).toMatchObject(table);
  expect(
    chartFacts({
      data: [
        { name: "empty", values: [] },
        { name: "rows", values: rows },
      ],
    }),
  ).toMatchObject(table);
});

test.each([
  ["no data", {}],
  ["data from elsewhere", { data: { url: "https://example.invalid" } }],
  ["numbers", { data: { values: [1, 2] } }],
  ["text", { data: { values: "a,b\n1,2", format: { type: "csv" } } }],
  ["parts of other forms", { data: [null, 5], datasets: [rows] }],
  ["records too long to be shown", { data: { values: [{ a: "x".repeat(300_000) }] } }],
])("of %s there is no table", (_what, spec) => {
  expect(chartFacts(spec)).toMatchObject({ rows: "", rowCount: 0 });
});

test("of many rows the first hundred are handed on, and all are counted", () => {
  const facts = chartFacts({ data: { values: Array.from({ length: 5000 }, (_, a) => ({ a })) } });

  expect(JSON.parse(facts.rows)).toHaveLength(100);
  expect(facts.rowCount).toBe(5000);
});
