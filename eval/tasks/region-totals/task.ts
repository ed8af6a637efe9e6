import { csvFile, csvText, exactly } from "../../checks.js";
import { readCsv } from "../../data.js";
import type { EvalTask } from "../../task.js";
import sales from "./sales.csv?raw";

const cents = new Map<string, number>();
const units = new Map<string, number>();
for (const { region = "", units: count, unit_price: price } of readCsv(sales)) {
  units.set(region, (units.get(region) ?? 0) + Number(count));
  cents.set(region, (cents.get(region) ?? 0) + Number(count) * Math.round(Number(price) * 100));
}
const ranked = [...cents].sort(([, a], [, b]) => b - a);
const rows = [
  ["region", "units", "revenue"],
  ...ranked.map(([region, revenue]) => [region, units.get(region) ?? 0, (revenue / 100).toFixed(2)]),
];
const [best = ""] = ranked[0] ?? [];

export const regionTotals: EvalTask = {
  name: "region-totals",
  level: 2,
  prompt:
    "/workspace/sales.csv lists sales. Add up units and revenue (units × unit_price) of each region. Which region has the highest revenue?",
  files: { "sales.csv": sales },
  answer: { format: "text", description: "the name of that region", is: exactly(best) },
  artifacts: {
    "totals.csv": {
      mime: "text/csv",
      description: "columns region,units,revenue; highest revenue first; revenue with two decimals",
      is: csvFile(rows),
    },
  },
  correct: { answer: best, artifacts: { "totals.csv": csvText(rows) } },
  wrong: [
    { mistake: "the region with the most units", part: "answer", outcome: { answer: "East" } },
    {
      mistake: "regions by name instead of by revenue",
      part: "artifact",
      outcome: { artifacts: { "totals.csv": csvText([rows[0] ?? [], ...rows.slice(1).toSorted()]) } },
    },
    {
      mistake: "the sum of prices, without the units",
      part: "artifact",
      outcome: {
        artifacts: {
          "totals.csv": csvText(rows.map((row, n) => (n === 2 ? [row[0] ?? "", row[1] ?? "", "363.45"] : row))),
        },
      },
    },
  ],
};
