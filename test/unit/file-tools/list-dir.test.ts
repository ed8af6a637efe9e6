import { expect, test } from "vitest";

import { toolsOnFiles } from "./tools-on-files.js";

const FILES = { "root.txt": "", "nested/child.txt": "", "nested/deeper/grandchild.txt": "" };

async function list(
  files: Record<string, string>,
  args: Record<string, number | string> = {},
  unstored: Parameters<typeof toolsOnFiles>[1] = [],
): Promise<string[]> {
  const { call } = await toolsOnFiles(files, unstored);
  return (await call("list_dir", { dir_path: "/workspace", ...args })).split("\n");
}

test("list_dir at one, two and three levels (X68)", async () => {
  expect(await list(FILES, { depth: 1 })).toEqual(["Absolute path: /workspace", "nested/", "root.txt"]);
  expect((await list(FILES)).slice(1)).toEqual(["nested/", "  child.txt", "  deeper/", "root.txt"]);
  expect((await list(FILES, { depth: 3 })).slice(1)).toEqual([
    "nested/",
    "  child.txt",
    "  deeper/",
    "    grandchild.txt",
    "root.txt",
  ]);
  expect(await list(FILES, { dir_path: "/workspace/nested/" })).toEqual([
    "Absolute path: /workspace/nested",
    "child.txt",
    "deeper/",
    "  grandchild.txt",
  ]);
});

test("of 40 files 25 are listed, and that there are more (X69)", async () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${String(index + 10)}.txt`, ""]));

  const lines = await list(files);

  expect(lines).toHaveLength(27);
  expect(lines.at(-1)).toBe("More than 25 entries found");
  expect((await list(files, { offset: 26 })).slice(1)).toHaveLength(15);
});

test("what is nearest comes first, and the slice is sorted by path (X70)", async () => {
  expect((await list(FILES, { depth: 3, limit: 3 })).slice(1)).toEqual([
    "nested/",
    "  child.txt",
    "root.txt",
    "More than 3 entries found",
  ]);
});

test("a link is marked and not followed (X72)", async () => {
  const unstored = [
    { path: "nested/up", kind: "link" },
    { path: "pipe", kind: "other" },
  ] as const;

  expect((await list({ "nested/a": "" }, { depth: 9 }, unstored)).slice(1)).toEqual([
    "nested/",
    "  a",
    "  up@",
    "pipe?",
  ]);
});

test("a folder that cannot be read is noted in its line (X73)", async () => {
  const unstored = [{ path: "closed", kind: "folder", note: "cannot be read: Permission denied" }] as const;

  expect((await list({ "a.txt": "" }, {}, unstored)).slice(1)).toEqual([
    "a.txt",
    "closed/ (cannot be read: Permission denied)",
  ]);
});

test("an empty folder has its header alone, and a name that two folders share no stranger between", async () => {
  expect(await list({})).toEqual(["Absolute path: /workspace"]);
  expect((await list({ "a/x": "", "a-b": "" })).slice(1)).toEqual(["a/", "  x", "a-b"]);
});

test("what is wrong with a listing has the text of the protocol", async () => {
  const refused = async (args: Record<string, number | string>, reason: string): Promise<void> => {
    await expect(list(FILES, args)).rejects.toMatchObject({ reason });
  };

  await refused({ dir_path: "nested" }, "dir_path must be an absolute path");
  await refused({ offset: 0 }, "offset must be a 1-indexed entry number");
  await refused({ limit: 0 }, "limit must be greater than zero");
  await refused({ depth: 0 }, "depth must be greater than zero");
  await refused({ offset: 9 }, "offset exceeds directory entry count");
  await refused({ dir_path: "/workspace/none" }, "failed to read directory: No such file or directory (os error 2)");
  await refused({ dir_path: "/workspace/root.txt" }, "failed to read directory: Not a directory (os error 20)");
  await expect(list(FILES, { dir_path: "/" })).rejects.toMatchObject({ code: "WORKSPACE_PATH" });
});
