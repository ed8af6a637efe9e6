import { describe, expect, test } from "vitest";

import { filesOf, folderPrefix, foldersAround, PathTree, type TreeRow } from "../../../src/ui/state/files/path-tree.js";
import type { WorkspaceFile } from "../../../src/workspace/index.js";

const filesAt = (...paths: string[]): WorkspaceFile[] =>
  paths.map((path) => ({ path, size: 1, version: "v", modifiedAt: new Date(0) }));

/** `+` and `-` before folders that are open and closed, a blank for each level. */
const drawn = (rows: readonly TreeRow[]): string[] =>
  rows.map(
    ({ name, level, file, isOpen, count }) =>
      " ".repeat(level - 1) + (file === null ? `${isOpen ? "-" : "+"}${name} (${String(count)})` : name),
  );

describe("a tree of paths", () => {
  const files = filesAt("a.txt", "b/c/one", "b/c/two", "b/x", "b.txt", "c/c/one");

  test("shows what lies at the top, folders first, until folders are opened", () => {
    const tree = new PathTree(files);

    expect(drawn(tree.rows(new Set()))).toEqual(["+b (3)", "+c (1)", "a.txt", "b.txt"]);
    expect(drawn(tree.rows(new Set(["b"])))).toEqual(["-b (3)", " +c (2)", " x", "+c (1)", "a.txt", "b.txt"]);
    expect(drawn(tree.rows(new Set(["b", "b/c"])))).toContain("  two");
    // A folder within one that is closed is not to be seen.
    expect(drawn(tree.rows(new Set(["b/c"])))).toHaveLength(4);
  });

  test("numbers the rows of a folder", () => {
    const rows = new PathTree(files).rows(new Set(["b"]));

    const numbers = rows.map(({ path, position, siblings }) => [path, position, siblings]);
    expect(numbers).toEqual([
      ["b", 1, 4],
      ["b/c", 1, 2],
      ["b/x", 2, 2],
      ["c", 2, 4],
      ["a.txt", 3, 4],
      ["b.txt", 4, 4],
    ]);
  });

  test("finds the files of a row, and where a new one would lie beside it", () => {
    const [b, , a] = new PathTree(files).rows(new Set());

    expect(filesOf(b!, files).map(({ path }) => path)).toEqual(["b/c/one", "b/c/two", "b/x"]);
    expect(filesOf(a!, files)).toEqual([files[0]]);
    expect([folderPrefix(b), folderPrefix(a), folderPrefix(undefined)]).toEqual(["b/", "", ""]);
    expect(foldersAround("a/b/c")).toEqual(["a", "a/b"]);
  });

  test("is made of any order of paths, and of names that are no names in an object", () => {
    const tree = new PathTree(filesAt("b/x", "a", "b/y", "__proto__/constructor", "b/x2"));

    expect(drawn(tree.rows(new Set(["b", "__proto__"])))).toEqual([
      "-b (3)",
      " x",
      " y",
      " x2",
      "-__proto__ (1)",
      " constructor",
      "a",
    ]);
  });

  test("goes as deep as paths go", () => {
    const folders = Array.from({ length: 500 }, (_, index) =>
      Array(index + 1)
        .fill("d")
        .join("/"),
    );
    const tree = new PathTree(filesAt(`${folders.at(-1)!}/f`, `${folders.at(-1)!}/g`));

    const rows = tree.rows(new Set(folders));

    expect(rows).toHaveLength(502);
    expect(rows.at(-1)).toMatchObject({ name: "g", level: 501, siblings: 2 });
  });
});
