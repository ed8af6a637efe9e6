import { csvFile, csvText, exactly } from "../../checks.js";
import { between, choice, numbers } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

const random = numbers(33);
const titles = ["Glass", "Tides", "The Mill", "Anchors", "Salt", "Ink"];
const readers = ["Ada", "Bo", "Cem", "Dora", "Eli"];
const books = titles.map((title, n) => ({ id: n + 1, title }));
const loans = Array.from({ length: 60 }, () => {
  const out = between(0, 150, random);
  return {
    book: between(1, 6, random),
    reader: choice(readers, random),
    out,
    back: random() < 0.2 ? null : out + between(3, 40, random),
  };
});
const day = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 86_400_000).toISOString().slice(0, 10);
const script = [
  "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);",
  "CREATE TABLE loan(book INTEGER REFERENCES book, reader TEXT, out TEXT, back TEXT);",
  ...books.map(({ id, title }) => `INSERT INTO book VALUES (${String(id)}, '${title}');`),
  ...loans.map(
    ({ book, reader, out, back }) =>
      `INSERT INTO loan VALUES (${String(book)}, '${reader}', '${day(out)}', ${back === null ? "NULL" : `'${day(back)}'`});`,
  ),
].join("\n");

const late = (limit: number): (string | number)[][] =>
  books
    .map(({ id, title }) => {
      const own = loans.filter(({ book }) => book === id);
      return {
        title,
        loans: own.length,
        late: own.filter(({ out, back }) => back !== null && back - out > limit).length,
      };
    })
    .filter(({ late: count }) => count > 0)
    .sort((a, b) => b.late - a.late || (a.title < b.title ? -1 : 1))
    .map(({ title, loans: count, late: times }) => [title, count, times]);
const rows = (limit: number): (string | number)[][] => [["title", "loans", "late"], ...late(limit)];
const out = (reader: string): number => loans.filter((loan) => loan.reader === reader && loan.back === null).length;
const most = Math.max(...readers.map(out));
const holders = readers.filter((reader) => out(reader) === most);

const database = `name: database
description: SQLite on /workspace/library.db, which is made when it is first used
command: sqlite3
schema:
  stdin: script
  positional: [{ name: file, default: library.db }]
recipes:
  run:
    description: Runs a script of SQL and commands such as .mode csv, .headers on; answers with what it prints
    params: { script: { required: true } }
`;

export const loanReport: EvalTask = {
  name: "loan-report",
  level: 3,
  prompt:
    "/workspace/library.sql makes the tables book(id, title) and loan(book, reader, out, back), where back is NULL for a book " +
    "that is still out. Load it with the tool database. A loan was late if it came back more than 28 days after it went out. " +
    "Which readers have the most books out now?",
  files: { "library.sql": `${script}\n` },
  seeds: [{ file: "tools/database.yaml", text: database }],
  answer: { format: "json", description: "a list of their names by alphabet", is: exactly(holders) },
  artifacts: {
    "late.csv": {
      mime: "text/csv",
      description:
        "columns title,loans,late (all loans of a book, and the late ones): books with late loans, most late first, then by title",
      is: csvFile(rows(28)),
    },
  },
  correct: { answer: holders, artifacts: { "late.csv": csvText(rows(28)) } },
  wrong: [
    wrongAnswer("all readers", readers),
    wrongArtifact("28 days themselves late", "late.csv", csvText(rows(27))),
    wrongArtifact(
      "the late loans counted as all loans",
      "late.csv",
      csvText(rows(28).map(([title = "", count = "", times = ""], n) => [title, n === 0 ? count : times, times])),
    ),
  ],
};
