import { csvFile, csvText, exactly, markdownFile, markdownTable } from "../../checks.js";
import { readCsv } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import spending from "./spending.csv?raw";

const budgets: Readonly<Record<string, number>> = { food: 42_000, travel: 15_000, home: 60_000 };
const months = ["2026-01", "2026-02", "2026-03", "2026-04"];
const categories = Object.keys(budgets).sort();
const spent = (month: string, category: string): number =>
  readCsv(spending)
    .filter((row) => row.day?.startsWith(month) === true && row.category === category)
    .reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);

interface Line {
  readonly month: string;
  readonly category: string;
  readonly available: number;
  readonly spent: number;
  readonly left: number;
}

/** Half of what is left goes over to the next month, all of what is missing does. */
function plan(carry: (left: number) => number): Line[] {
  const over = new Map<string, number>();
  return months.flatMap((month) =>
    categories.map((category) => {
      const available = (budgets[category] ?? 0) + (over.get(category) ?? 0);
      const used = spent(month, category);
      over.set(category, carry(available - used));
      return { month, category, available, spent: used, left: available - used };
    }),
  );
}

const euro = (cents: number): string => (cents / 100).toFixed(2);
const rows = (lines: readonly Line[]): string[][] => [
  ["month", "category", "available", "spent", "left"],
  ...lines.map((line) => [line.month, line.category, euro(line.available), euro(line.spent), euro(line.left)]),
];
const over = (lines: readonly Line[]): string[][] => [
  ["month", "category", "over by"],
  ...lines.filter(({ left }) => left < 0).map(({ month, category, left }) => [month, category, euro(-left)]),
];
const lines = plan((left) => (left < 0 ? left : Math.floor(left / 2)));
const report = (those: readonly Line[]): string => `# Over budget\n\n${markdownTable(over(those))}\n`;
const end = (those: readonly Line[]): Record<string, number> =>
  Object.fromEntries(those.slice(-categories.length).map(({ category, left }) => [category, left / 100]));

export const budgetPlan: EvalTask = {
  name: "budget-plan",
  level: 4,
  prompt:
    "Monthly budgets in EUR: food 420.00, travel 150.00, home 600.00. /workspace/spending.csv has what was spent from January " +
    "to April 2026; other categories do not matter. Of what is left of a category at a month's end, half (rounded down to the " +
    "cent) is added to its next month; what was overspent is taken off the next month in full. What is left at the end of April?",
  files: { "spending.csv": spending },
  answer: {
    format: "json",
    description: '{"food", "home", "travel"}: numbers with two decimals',
    is: exactly(end(lines), 0.001),
  },
  artifacts: {
    "plan.csv": {
      mime: "text/csv",
      description: "columns month,category,available,spent,left by month (2026-01), then category; two decimals",
      is: csvFile(rows(lines)),
    },
    "over.md": {
      mime: "text/markdown",
      description:
        "the heading '# Over budget' and a table month, category, over by (two decimals) of what was overspent, in the same order",
      is: markdownFile(over(lines), "Over budget"),
    },
  },
  correct: { answer: end(lines), artifacts: { "plan.csv": csvText(rows(lines)), "over.md": report(lines) } },
  wrong: [
    wrongAnswer("nothing carried over", end(plan(() => 0))),
    wrongArtifact("all of it carried over", "plan.csv", csvText(rows(plan((left) => left)))),
    wrongArtifact("a heading of the second level", "over.md", report(lines).replace("# Over", "## Over")),
    wrongArtifact("overspending forgotten", "over.md", report(plan((left) => Math.max(0, Math.floor(left / 2))))),
  ],
};
