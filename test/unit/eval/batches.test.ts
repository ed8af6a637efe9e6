import { describe, expect, test } from "vitest";

import { toolProblems, undoneProblems } from "../../../eval/batches/check-writing.js";
import { evalBatches } from "../../../eval/batches/index.js";
import { applyChanges } from "../../../eval/projects/read-diff.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { Workspace } from "../../../src/workspace/index.js";

describe("the work of an agent on a batch", () => {
  const asked = ["a.py", "b.py"];
  const after = new Map([
    ["a.py", "a = 1\n"],
    ["b.py", "b = 1\n"],
  ]);

  test("is accepted where the tool wrote the files as they are", () => {
    expect(toolProblems({ asked }, { after, written: after })).toEqual([]);
  });

  test("is rejected for files that were changed afterwards, or came by other means", () => {
    const written = new Map([["a.py", "a = 2\n"]]);
    expect(toolProblems({ asked }, { after, written })).toEqual([
      "the tool: a.py is not as write_codebase_tool wrote it",
      "the tool: b.py is not as write_codebase_tool wrote it",
    ]);
  });

  test("is undone call by call, the last one first", async () => {
    const files = new Map([["a.py", "a = 0\n"]]);
    const workspace = new Workspace(memoryStorage());
    await workspace.writeAll(new Map([["a.py", "a = 2\n"]]));
    const before: Readonly<Record<string, string>> = { first: "a = 0\n", second: "a = 1\n" };
    const changed = {
      list: () => workspace.list(),
      read: (path: string) => workspace.read(path),
      changes: (id: string) =>
        Promise.resolve({ undo: () => workspace.writeAll(new Map([["a.py", before[id] ?? ""]])) }),
    };

    expect(await undoneProblems({ files }, changed, ["first", "second"])).toEqual([]);
    expect(await undoneProblems({ files }, changed, ["second"])).toEqual(["undo: the files are not as they were"]);
  });
});

describe.each(evalBatches)(
  "the batch $name",
  ({ files, asked, right, hidden, documents, planted, fewestTests, wrong }) => {
    const solution = new Map([...files, ...right]);

    test("asks for at most as many files as a call may have, and looks at each", () => {
      expect(asked.length).toBeGreaterThanOrEqual(1);
      expect(asked.length).toBeLessThanOrEqual(5);
      for (const path of asked.filter((each) => !each.endsWith(".py"))) {
        expect(Object.hasOwn(documents, path) || hidden.size > 0, path).toBe(true);
      }
      for (const path of Object.keys(documents)) expect(asked).toContain(path);
      if (asked.some((path) => path.endsWith(".py"))) expect([...hidden.keys()]).toContain("hidden/__init__.py");
    });

    test("has planted mistakes in files that are asked for, where tests are", () => {
      expect(planted.length > 0).toBe(fewestTests > 0);
      for (const { files: faulty } of planted) {
        for (const [path, text] of faulty) {
          expect(asked).toContain(path);
          expect(text).not.toBe(right.get(path));
        }
      }
    });

    test("has wrong solutions, of which each differs from the right one", () => {
      expect(wrong.length).toBeGreaterThanOrEqual(3);
      for (const { changes } of wrong) expect(applyChanges(solution, changes)).not.toEqual(solution);
    });
  },
);
