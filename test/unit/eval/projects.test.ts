import { describe, expect, test } from "vitest";

import { differenceProblems, undoProblems } from "../../../eval/projects/check-work.js";
import { changedLines, diffProblems } from "../../../eval/projects/compare-trees.js";
import { evalProjects } from "../../../eval/projects/index.js";
import { applyChanges, readDiff } from "../../../eval/projects/read-diff.js";
import { readTree } from "../../../eval/projects/trees.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { Workspace } from "../../../src/workspace/index.js";

const files = new Map([
  ["README.md", "A shop.\n"],
  ["shop/till.py", "a = 1\nb = 2\nc = 3\n"],
  ["tests/test_till.py", "import unittest\n"],
]);
const bounds = { files, folder: "shop", mostLines: 2 };

describe("the look at the difference", () => {
  test("accepts a small change in the package", () => {
    expect(diffProblems(bounds, new Map([...files, ["shop/till.py", "a = 1\nb = 5\nc = 3\n"]]))).toEqual([]);
  });

  test.each([
    ["nothing was changed", {}],
    ["tests/test_till.py was changed", { "shop/till.py": "a = 1\n", "tests/test_till.py": "" }],
    ["README.md was changed", { "README.md": "A bank.\n" }],
    ["shop/more.py was added", { "shop/more.py": "" }],
    ["4 lines were changed, and 2 are enough", { "shop/till.py": "a = 1\nb = 5\nc = 5\n" }],
  ])("says that %s", (problem, changed) => {
    expect(diffProblems(bounds, new Map([...files, ...Object.entries(changed)]))).toEqual([problem]);
  });

  test.each(["README.md", "shop/till.py", "tests/test_till.py"])("says that %s was deleted", (path) => {
    const after = new Map([...files].filter(([each]) => each !== path));
    expect(diffProblems(bounds, after)).toEqual([`${path} was deleted`]);
  });

  test.each([
    ["", "", 0],
    ["a\nb\nc\n", "a\nc\n", 1],
    ["a\nb\n", "b\na\n", 2],
    ["a\n", "a", 1],
    ["a\nb\n", "x\ny\nz\n", 5],
  ])("counts from %j to %j the lines %i", (before, after, lines) => {
    expect(changedLines(before, after)).toBe(lines);
  });
});

describe("a unified diff", () => {
  const changed = "--- shop/till.py\n+++ shop/till.py\n@@ -1,3 +1,4 @@\n a = 1\n-b = 2\n+b = 5\n+# five\n c = 3\n";

  test("changes, adds and deletes files", () => {
    const rest =
      "--- /dev/null\n+++ shop/new.py\n@@ -0,0 +1 @@\n+x = 1\n--- README.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-A shop.\n";
    const after = applyChanges(files, readDiff(changed + rest));

    expect(Object.fromEntries(after)).toEqual({
      "shop/till.py": "a = 1\nb = 5\n# five\nc = 3\n",
      "shop/new.py": "x = 1\n",
      "tests/test_till.py": "import unittest\n",
    });
  });

  test("is read as git writes it: with a/ and b/, of several files, of empty ones, and with last lines without an end", () => {
    const before = new Map([
      ["a/b.sql", "-- one\n-- two\n"],
      ["no end.txt", "x\ny"],
      ["end.txt", "x\n"],
      ["gone.txt", ""],
    ]);
    const text = [
      "diff --git a/a/b.sql b/a/b.sql",
      "--- a/a/b.sql",
      "+++ b/a/b.sql",
      "@@ -1,2 +1 @@",
      " -- one",
      "--- two",
      "diff --git a/no end.txt b/no end.txt",
      "--- a/no end.txt\t",
      "+++ b/no end.txt\t",
      "@@ -1,2 +1,2 @@",
      " x",
      "-y",
      "\\ No newline at end of file",
      "+y",
      "diff --git a/end.txt b/end.txt",
      "--- a/end.txt",
      "+++ b/end.txt",
      "@@ -1 +1,2 @@",
      " x",
      "+++ z",
      "\\ No newline at end of file",
      "diff --git a/gone.txt b/gone.txt",
      "deleted file mode 100644",
      "diff --git a/empty.txt b/empty.txt",
      "new file mode 100644",
      "diff --git a/new.txt b/new.txt",
      "new file mode 100644",
      "--- /dev/null",
      "+++ b/new.txt",
      "@@ -0,0 +1 @@",
      "+n",
      "\\ No newline at end of file",
      "",
    ].join("\n");

    expect(Object.fromEntries(applyChanges(before, readDiff(text)))).toEqual({
      "a/b.sql": "-- one\n",
      "no end.txt": "x\ny\n",
      "end.txt": "x\n++ z",
      "empty.txt": "",
      "new.txt": "n",
    });
  });

  test("is refused where the file is another one", () => {
    const other = new Map([["shop/till.py", "a = 1\nb = 3\nc = 3\n"]]);
    expect(() => applyChanges(other, readDiff(changed))).toThrow('shop/till.py:2 is not "b = 2".');
    expect(() => applyChanges(new Map(), readDiff(changed))).toThrow("shop/till.py is not there.");
  });
});

describe("the work of a coding agent", () => {
  const after = new Map([...files, ["shop/till.py", "a = 1\nb = 5\nc = 3\n"]]);
  const text = (value: string): string =>
    `diff --git a/shop/till.py b/shop/till.py\n--- a/shop/till.py\n+++ b/shop/till.py\n@@ -1,3 +1,3 @@\n a = 1\n-b = 2\n+b = ${value}\n c = 3\n`;

  test.each([
    ["is accepted with the difference that it made", text("5"), []],
    ["is rejected with another one", text("6"), ["it does not lead to the files as they are now"]],
    [
      "is rejected with one that does not apply",
      text("5").replace(" c = 3", " c = 4"),
      ['shop/till.py:3 is not "c = 4".'],
    ],
    ["is rejected without one", undefined, ["it was not saved"]],
  ])("%s", (_what, given, problems) => {
    const difference = given === undefined ? undefined : new TextEncoder().encode(given);
    expect(differenceProblems(files, { after, difference })).toEqual(
      problems.map((problem) => `the task's difference: ${problem}`),
    );
  });

  test("needs no difference where nothing was changed", () => {
    expect(differenceProblems(files, { after: files, difference: undefined })).toEqual([]);
  });

  test.each([
    ["brings the project back", { undo: "all" }, []],
    ["leaves something", { undo: "nothing" }, ["undo: the files are not as they were"]],
    ["fails", { undo: "fails" }, ["undo: shop/till.py was changed"]],
  ] as const)("is undone, and looked at where that %s", async (_what, { undo }, problems) => {
    const workspace = new Workspace(memoryStorage());
    await workspace.writeAll(after);
    const changes = {
      undo: async () => {
        if (undo === "fails") throw new Error("shop/till.py was changed");
        if (undo === "all") await workspace.writeAll(files);
      },
    };
    const changed = {
      list: () => workspace.list(),
      read: (path: string) => workspace.read(path),
      changes: (id: string) => Promise.resolve(id === "t1" ? changes : undefined),
    };
    expect(await undoProblems(files, { workspace: changed, taskId: "t1" })).toEqual(problems);
  });
});

test("of a workspace all is read but what Python leaves behind", async () => {
  const workspace = new Workspace(memoryStorage());
  for (const path of ["a.py", "b/c.txt", "b/__pycache__/c.cpython-314.pyc"]) await workspace.write(path, path);

  expect([...(await readTree(workspace)).keys()]).toEqual(["a.py", "b/c.txt"]);
});

describe.each(evalProjects)("the project $name", ({ files: tree, folder, failing, fix, wrong, hidden }) => {
  const paths = [...tree.keys()];

  test("is a project: ten to forty files, with a README, tests and a package", () => {
    expect(paths.length).toBeGreaterThanOrEqual(10);
    expect(paths.length).toBeLessThanOrEqual(40);
    expect(paths).toEqual(
      expect.arrayContaining(["README.md", "pyproject.toml", `${folder}/__init__.py`, "tests/__init__.py"]),
    );
    expect([...hidden.keys()]).toContain("hidden/__init__.py");
  });

  test("has its bug in one file, and not in the one that the failing test names first", () => {
    const fixed = fix.map(({ path }) => path);
    expect(fixed).toHaveLength(1);
    for (const name of failing) {
      const test = tree.get(`${name.split(".").slice(0, 2).join("/")}.py`) ?? "";
      const [, module = ""] = new RegExp(`^from (${folder}[\\w.]*) import`, "m").exec(test) ?? [];
      expect(module).not.toBe("");
      expect(fixed).not.toContain(`${module.replaceAll(".", "/")}.py`);
    }
  });

  test("has wrong solutions that nothing but the hidden tests tell from a right one", () => {
    expect(wrong.filter(({ rejectedBy }) => rejectedBy.join() === "hidden tests").length).toBeGreaterThanOrEqual(2);
    expect(wrong.some(({ rejectedBy }) => rejectedBy.includes("diff"))).toBe(true);
  });
});
