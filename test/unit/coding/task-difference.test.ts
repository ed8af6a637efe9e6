import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import { differenceOf, type Difference } from "../../../src/coding/task-difference.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { Workspace } from "../../../src/workspace/index.js";

type Files = Readonly<Record<string, string | Uint8Array>>;

/** The difference that a session's code made of the first files when it left the second. */
async function difference(before: Files, after: Files): Promise<Difference> {
  const workspace = new Workspace(memoryStorage());
  await workspace.writeAll(new Map(Object.entries(before)));
  const gone = Object.keys(before).filter((path) => !(path in after));
  const files = new Map([...gone.map((path) => [path, null] as const), ...Object.entries(after)]);
  const recording = await workspace.recordChanges("task");
  await workspace.writeForRun(files, { trust: "sandboxed", ifVersion: new Map(), recording });
  const changes = await workspace.changes("task");
  if (changes === undefined) throw new TypeError("Nothing was recorded.");
  await changes.finish();
  return differenceOf(changes);
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** What git makes of the files by the difference. */
function applied(before: Files, { text }: Difference): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-diff-"));
  folders.push(folder);
  for (const [path, content] of Object.entries(before)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: folder, input: text });
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  return Object.fromEntries(paths.toSorted().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

const numbers = Array.from({ length: 40 }, (_, index) => `line ${String(index)}\n`);

describe("the difference that a task made", () => {
  test.each<[string, Files, Files]>([
    [
      "changed lines",
      { "a.txt": numbers.join("") },
      { "a.txt": numbers.toSpliced(5, 1, "five\n").toSpliced(30, 2).join("") },
    ],
    ["added and deleted files", { "old.txt": "1\n2\n" }, { "new/file.txt": "3\n" }],
    ["an empty file that comes, and one that goes", { gone: "" }, { come: "" }],
    ["a file without an end of line", { a: "1\n2" }, { a: "1\n2\n3" }],
    ["an end of line that is added", { a: "1\n2" }, { a: "1\n2\n" }],
    ["an end of line that is taken away", { a: "1\n2\n" }, { a: "1\n2" }],
    ["ends of lines of another system", { a: "1\r\n2\r\n" }, { a: "1\n2\r\n" }],
    ["a name with blanks and umlauts", { "my notes/änderung.txt": "1\n" }, { "my notes/änderung.txt": "2\n" }],
    ["a name in quotation marks", { 'the "best".txt': "1\n" }, { 'the "best".txt': "2\n" }],
    ["lines that look like a diff", { a: "--- x\n+++ y\n" }, { a: "--- x\n@@ -1 +1 @@\n" }],
    ["a file that becomes another wholly", { a: "1\n" }, { a: numbers.join("") }],
  ])("is one that git applies: %s", async (_name, before, after) => {
    expect(applied(before, await difference(before, after))).toEqual(after);
  });

  test("is summed up, and is what git writes", async () => {
    const { text, summary } = await difference({ "a.txt": "1\n2\n", b: "x\n" }, { "a.txt": "1\ntwo\n3\n" });

    expect(text.split("\n")).toEqual([
      "diff --git a/a.txt b/a.txt",
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,2 +1,3 @@",
      " 1",
      "-2",
      "+two",
      "+3",
      "diff --git a/b b/b",
      "deleted file mode 100644",
      "--- a/b",
      "+++ /dev/null",
      "@@ -1,1 +0,0 @@",
      "-x",
      "",
    ]);
    expect(summary).toBe("2 files changed, 2 lines added, 2 removed.");
  });

  test.each<[string, Uint8Array | string]>([
    ["a zero byte", Uint8Array.of(1, 0, 2)],
    ["what is no UTF-8", Uint8Array.of(0xff, 0xfe)],
    ["more than two megabytes", "x".repeat(2_000_001)],
    ["more lines than are compared", "\n".repeat(50_000)],
  ])("names a file with %s, and does not show it", async (_name, content) => {
    const { text, summary } = await difference({ a: "1\n" }, { a: content });

    expect(text).toBe("diff --git a/a b/a\nBinary files a/a and b/a differ\n");
    expect(summary).toBe("1 file changed, 0 lines added, 0 removed.");
  });

  test("is empty where a file has become what it was", async () => {
    expect((await difference({ a: "1" }, { a: "1" })).text).toBe("");
  });
});
