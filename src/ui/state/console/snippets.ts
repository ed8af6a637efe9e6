import { findDelimiter, isNumeric, type TextTable } from "../text/csv.js";
import type { ContentForm } from "../text/content-form.js";

/** Python that is ready to run in the console. */
export interface Snippet {
  readonly title: string;
  readonly code: string;
}

/** A file of the workspace, and what it holds. */
export interface SnippetFile {
  readonly path: string;
  readonly form: ContentForm;
}

/** Values that make a column one to group by: more of them are names of their own. */
const MOST_GROUPS = 50;

/** Three things to do with a file, each one whole in itself. */
export function fileSnippets({ path, form }: SnippetFile): readonly Snippet[] {
  if (form.kind === "table" && /\.[ct]sv$/i.test(path)) return tableSnippets(path, form);
  if (form.kind === "json" || form.kind === "table") return jsonSnippets(path);
  if (form.kind === "binary" || form.kind === "image") return bytesSnippets(path);
  return textSnippets(path);
}

/** What a visitor without a file can try. */
export const FIRST_SNIPPETS: readonly Snippet[] = [
  {
    title: "Compute something",
    code: `from statistics import mean, stdev

temperatures = [6.4, 7.1, 5.9, 8.3, 7.7]
round(mean(temperatures), 2), round(stdev(temperatures), 2)`,
  },
  { title: "See which tools Python can call", code: "tools.list()" },
  {
    title: "Save a table as an artifact",
    code: `rows = ["n,square", *(f"{n},{n * n}" for n in range(1, 11))]
artifacts.save("squares.csv", "\\n".join(rows))`,
  },
];

function tableSnippets(path: string, { table, text }: Extract<ContentForm, { kind: "table" }>): readonly Snippet[] {
  const delimiter = findDelimiter(text);
  const open = `import csv

with open(${quoted(`/workspace/${path}`)}, newline="", encoding="utf-8-sig") as file:
    rows = list(csv.DictReader(file${delimiter === "," ? "" : `, delimiter=${quoted(delimiter)}`}))
`;
  return [
    { title: "Read the rows", code: `${open}\nprint(len(rows), "rows")\nrows[:5]` },
    {
      title: "Summarize each column",
      code: `${open}
def summary(name):
    values = [row[name] for row in rows if row[name]]
    try:
        numbers = [float(value) for value in values]
        return f"{len(values)} numbers from {min(numbers):g} to {max(numbers):g}, mean {sum(numbers) / len(numbers):g}"
    except (ValueError, ZeroDivisionError):
        return f"{len(values)} values, {len(set(values))} different"

for name in rows[0] if rows else []:
    print(f"{name}: {summary(name)}")`,
    },
    grouping(open, table),
  ];
}

/** Adds a column of numbers up for each value of another one, or counts those where no column holds numbers. */
function grouping(open: string, table: TextTable): Snippet {
  const numeric = table.columns.map((_name, index) => isNumeric(table, index));
  const group = groupColumn(table, numeric);
  const by = table.columns[group] ?? "";
  // Not the first column, which often numbers the rows.
  const amount = table.columns.find((_name, index) => numeric[index] === true && index !== group && index > 0);
  const show = `for name, amount in totals.most_common(10):
    print(f"{name}: {amount:g}")`;
  if (amount === undefined) {
    return {
      title: `Count the rows by ${by}`,
      code: `from collections import Counter
${open}
totals = Counter(row[${quoted(by)}] for row in rows)
${show}`,
    };
  }
  return {
    title: `Add up ${amount} by ${by}`,
    code: `from collections import Counter
${open}
totals = Counter()
for row in rows:
    try:
        totals[row[${quoted(by)}]] += float(row[${quoted(amount)}].replace(",", ""))
    except ValueError:
        pass  # no number in this row

${show}`,
  };
}

function groupColumn({ columns, rows }: TextTable, numeric: readonly boolean[]): number {
  const counts = columns.map((_name, index) => new Set(rows.map((row) => row[index])).size);
  const fits = (index: number): boolean => {
    const count = counts[index] ?? 0;
    return numeric[index] !== true && count > 1 && count <= MOST_GROUPS && (count < rows.length || rows.length < 3);
  };
  const found = columns.findIndex((_name, index) => fits(index));
  return found < 0 ? Math.max(0, numeric.indexOf(false)) : found;
}

function jsonSnippets(path: string): readonly Snippet[] {
  const open = `import json

with open(${quoted(`/workspace/${path}`)}, encoding="utf-8") as file:
    data = json.load(file)
`;
  return [
    { title: "Read it", code: `${open}\ndata` },
    { title: "See what it is made of", code: `${open}\ntype(data).__name__, list(data)[:10]` },
    {
      title: "Print it with indents",
      code: `${open}\nprint(json.dumps(data, indent=2, ensure_ascii=False)[:2000])`,
    },
  ];
}

function textSnippets(path: string): readonly Snippet[] {
  const open = `with open(${quoted(`/workspace/${path}`)}, encoding="utf-8") as file:
    text = file.read()
`;
  return [
    { title: "Show the first lines", code: `${open}\nprint("\\n".join(text.splitlines()[:10]))` },
    {
      title: "Count lines, words and characters",
      code: `${open}\nlen(text.splitlines()), len(text.split()), len(text)`,
    },
    {
      title: "Find the most frequent words",
      code: `import re
from collections import Counter

${open}
Counter(re.findall(r"[^\\W\\d_]{3,}", text.lower())).most_common(10)`,
    },
  ];
}

function bytesSnippets(path: string): readonly Snippet[] {
  const open = `from pathlib import Path

data = Path(${quoted(`/workspace/${path}`)}).read_bytes()
`;
  return [
    { title: "Look at its first bytes", code: `${open}\ndata[:32]` },
    { title: "Compute its SHA-256", code: `import hashlib\n${open}\nhashlib.sha256(data).hexdigest()` },
    { title: "See how well it compresses", code: `import zlib\n${open}\nlen(data), len(zlib.compress(data))` },
  ];
}

/** A literal of Python. JSON's escapes are Python's, too. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
