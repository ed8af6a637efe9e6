import { expect, test } from "vitest";

import { contentForm } from "../../../src/ui/state/text/content-form.js";
import { readyCells } from "../../../src/ui/state/console/ready-cells.js";
import { FIRST_SNIPPETS, fileSnippets } from "../../../src/ui/state/console/snippets.js";

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function snippetsOf(path: string, text: string) {
  return fileSnippets({ path, form: contentForm(path, bytes(text)) });
}

test("a table is read with its own delimiter, and grouped by its columns", () => {
  const snippets = snippetsOf("sales.csv", "id;region;amount\n1;North;20\n2;South;5\n3;North;22\n");

  expect(snippets.map(({ title }) => title)).toEqual([
    "Read the rows",
    "Summarize each column",
    "Add up amount by region",
  ]);
  for (const { code } of snippets) expect(code).toContain('delimiter=";"');
});

test("rows are counted where no column but the first holds numbers", () => {
  const [, , last] = snippetsOf("people.csv", "id,city\n1,Oslo\n2,Rome\n3,Oslo\n");

  expect(last?.title).toBe("Count the rows by city");
});

test("names of files and columns are literals of Python, whatever they hold", () => {
  const [, , last] = snippetsOf('a"b.csv', 'x,"the ""kind""\nof it"\n1,a\n2,b\n3,a\n');

  expect(last?.code).toContain(String.raw`open("/workspace/a\"b.csv"`);
  expect(last?.code).toContain(String.raw`row["the \"kind\"\nof it"]`);
});

test.each([
  ["data.json", "{}", "json.load"],
  ["notes.txt", "hello", "file.read()"],
  ["blob.bin", "\0\0", "read_bytes"],
])("%s is opened as what it is", (path, text, call) => {
  const snippets = snippetsOf(path, text);

  expect(snippets).toHaveLength(3);
  for (const { code } of snippets) expect(code).toContain(call);
});

test("cells are about the file that a task names, else the newest of the user's own, else about none", async () => {
  const file = (path: string, day: number, trust?: "sandboxed") => ({
    path,
    size: 5,
    version: path,
    modifiedAt: new Date(2026, 0, day),
    ...(trust === undefined ? {} : { trust }),
  });
  const files = [file("old.txt", 1), file("new.txt", 2), file("made.txt", 3, "sandboxed")];
  const read = (): Promise<Uint8Array<ArrayBuffer>> => Promise.resolve(bytes("hello"));

  expect((await readyCells("What is in old.txt?", { files, read }))[0]?.code).toContain("/workspace/old.txt");
  expect((await readyCells("", { files, read }))[0]?.code).toContain("/workspace/new.txt");
  expect(await readyCells("", { files: [], read })).toBe(FIRST_SNIPPETS);
});
