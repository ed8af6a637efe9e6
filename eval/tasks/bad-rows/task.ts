import { exactly, jsonFile, type Json } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import stock from "./stock.csv?raw";

const report: readonly Json[] = [
  { line: 3, problem: "quantity" },
  { line: 4, problem: "fields" },
  { line: 5, problem: "quantity" },
  { line: 6, problem: "date" },
  { line: 8, problem: "duplicate" },
  { line: 10, problem: "quantity" },
];
/** Of the lines that are right: 120 × 0.12 + 7 × 18.00 + 60 × 0.35 + 900 × 0.05. */
const value = (120 * 12 + 7 * 1800 + 60 * 35 + 900 * 5) / 100;

export const badRows: EvalTask = {
  name: "bad-rows",
  level: 3,
  prompt:
    "Some lines of /workspace/stock.csv are wrong. Report each wrong line with the first of these problems that it has: " +
    '"fields" (not five of them), "quantity" (not a whole number from 0 on), "date" (no day of the calendar, as YYYY-MM-DD), ' +
    '"duplicate" (a sku that stood in an earlier line). What is the stock worth by the lines that are right (quantity × price)?',
  files: { "stock.csv": stock },
  answer: { format: "json", description: "a number with two decimals", is: exactly(value, 0.001) },
  artifacts: {
    "problems.json": {
      mime: "application/json",
      description: 'a list of {"line", "problem"} by line; the header is line 1',
      is: jsonFile(exactly(report)),
    },
  },
  correct: { answer: value, artifacts: { "problems.json": JSON.stringify(report) } },
  wrong: [
    wrongAnswer("the duplicate counted", value + 14.4),
    wrongArtifact(
      "lines counted without the header",
      "problems.json",
      JSON.stringify(report).replace(/"line":(\d+)/g, (_, line: string) => `"line":${String(Number(line) - 1)}`),
    ),
    wrongArtifact(
      "the 30th of February taken for a day",
      "problems.json",
      JSON.stringify(report.filter((_, n) => n !== 3)),
    ),
  ],
};
