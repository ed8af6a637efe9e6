import { csvFile, csvText, exactly } from "../../checks.js";
import { groupBy, readCsv } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import bank from "./bank.csv?raw";
import book from "./book.csv?raw";

const cents = (text = ""): number => Math.round(Number(text) * 100);
const bankOf = new Map(readCsv(bank).map(({ reference = "", amount }) => [reference, cents(amount)]));
const bookEntries = readCsv(book.replaceAll(".", "").replaceAll(",", ".").replaceAll(";", ",")).map(
  ({ Beleg: reference = "", Betrag: amount }) => ({ reference, amount: cents(amount) }),
);
const bookOf = groupBy(bookEntries, ({ reference }) => reference);

type Line = readonly [reference: string, problem: string, difference: number];

const lines: Line[] = [];
for (const reference of [...new Set([...bankOf.keys(), ...bookOf.keys()])].sort()) {
  const [inBank, inBook] = [bankOf.get(reference), bookOf.get(reference) ?? []];
  const amount = inBook[0]?.amount ?? 0;
  if (inBank === undefined) lines.push([reference, "missing in bank", -amount]);
  else if (inBook.length === 0) lines.push([reference, "missing in book", inBank]);
  else if (inBook.length > 1) lines.push([reference, "twice in book", inBank - 2 * amount]);
  else if (amount !== inBank) lines.push([reference, "amount differs", inBank - amount]);
}
const total = (those: readonly Line[]): number => those.reduce((sum, [, , difference]) => sum + difference, 0) / 100;
const rows = (those: readonly Line[]): string[][] => [
  ["reference", "problem", "difference"],
  ...those.map(([reference, problem, difference]) => [reference, problem, (difference / 100).toFixed(2)]),
];

export const reconcileLedgers: EvalTask = {
  name: "reconcile-ledgers",
  level: 3,
  prompt:
    "Compare /workspace/bank.csv with our own /workspace/book.csv (semicolons, 1.234,56, one line for each entry), by " +
    "reference. Which entries do not agree, and by how much does the bank exceed the book in all (bank minus book)?",
  files: { "bank.csv": bank, "book.csv": book },
  answer: { format: "json", description: "that sum, a number with two decimals", is: exactly(total(lines), 0.001) },
  artifacts: {
    "differences.csv": {
      mime: "text/csv",
      description:
        'columns reference,problem,difference by reference; problem is "missing in bank", "missing in book", "twice in book" or ' +
        '"amount differs"; difference is bank minus all of the book\'s entries, with two decimals',
      is: csvFile(rows(lines)),
    },
  },
  correct: { answer: total(lines), artifacts: { "differences.csv": csvText(rows(lines)) } },
  wrong: [
    wrongAnswer("book minus bank", -total(lines)),
    wrongArtifact(
      "the entry that stands twice passed over",
      "differences.csv",
      csvText(rows(lines.filter(([, problem]) => problem !== "twice in book"))),
    ),
    wrongArtifact(
      "a difference of one cent taken for rounding",
      "differences.csv",
      csvText(
        rows(lines.filter(([, problem, difference]) => problem !== "amount differs" || Math.abs(difference) > 1)),
      ),
    ),
  ],
};
