import { csvFile, csvText, exactly } from "../../checks.js";
import { groupBy, readCsv } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import contacts from "./contacts.csv?raw";

type Row = Record<string, string>;

const plain = ({ email = "" }: Row): string =>
  email
    .trim()
    .toLowerCase()
    .replace(/\+[^@]*@/, "@");

/** The latest of those that are the same; of equally late ones the one with the larger id. */
function deduplicated(rows: readonly Row[], key: (row: Row) => string): Row[] {
  const later = (a: Row, b: Row): number =>
    (a.updated ?? "") < (b.updated ?? "")
      ? -1
      : (a.updated ?? "") > (b.updated ?? "")
        ? 1
        : Number(a.id) - Number(b.id);
  return [...groupBy(rows, key)]
    .flatMap(([, same]) => same.toSorted(later).slice(-1))
    .sort((a, b) => Number(a.id) - Number(b.id));
}

const all = readCsv(contacts);
const cells = (rows: readonly Row[]): string[][] => [
  ["id", "name", "email"],
  ...rows.map((row) => [row.id ?? "", row.name ?? "", plain(row)]),
];
const kept = deduplicated(all, plain);

export const dedupContacts: EvalTask = {
  name: "dedup-contacts",
  level: 2,
  prompt:
    "/workspace/contacts.csv has people more than once. Two lines are the same person if their addresses are the same once " +
    "blanks around, case, and a +tag before the @ are taken away. Keep the line updated last, of equally late ones the one " +
    "with the larger id. How many lines are dropped?",
  files: { "contacts.csv": contacts },
  answer: { format: "json", description: "a number", is: exactly(all.length - kept.length) },
  artifacts: {
    "contacts-clean.csv": {
      mime: "text/csv",
      description: "columns id,name,email by id, with the cleaned address (lower case, no blanks, no tag)",
      is: csvFile(cells(kept)),
    },
  },
  correct: { answer: all.length - kept.length, artifacts: { "contacts-clean.csv": csvText(cells(kept)) } },
  wrong: [
    wrongAnswer("how many are kept", kept.length),
    wrongArtifact(
      "tags taken for other people",
      "contacts-clean.csv",
      csvText(cells(deduplicated(all, ({ email = "" }) => email.trim().toLowerCase()))),
    ),
    wrongArtifact("blanks kept", "contacts-clean.csv", csvText(cells(kept)).replace(/,(\S+@)/, ", $1")),
    wrongArtifact(
      "the first line kept instead of the last",
      "contacts-clean.csv",
      csvText(cells([...groupBy(all, plain)].flatMap(([, same]) => same.slice(0, 1)))),
    ),
  ],
};
