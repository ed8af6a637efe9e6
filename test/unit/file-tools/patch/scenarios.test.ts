import { describe, expect, test } from "vitest";

import { patched, PatchedFiles, patchOf } from "./patched-files.js";

const success = (...lines: readonly string[]): string =>
  ["Success. Updated the following files:", ...lines, ""].join("\n");

describe("files", () => {
  test("are added, with a line end at their end (X78)", async () => {
    expect(await patched({}, "*** Add File: bar.md", "+This is a new file")).toEqual({
      files: { "bar.md": "This is a new file\n" },
      text: success("A bar.md"),
    });
    expect(await patched({}, "*** Add File: empty")).toEqual({ files: { empty: "" }, text: success("A empty") });
  });

  test("are added in new folders, changed and deleted by one patch, and listed in that order (X79)", async () => {
    const before = { "modify.txt": "line1\nline2\n", "delete.txt": "obsolete\n" };

    expect(
      await patched(
        before,
        "*** Delete File: delete.txt",
        "*** Update File: modify.txt",
        "@@",
        "-line2",
        "+changed",
        "*** Add File: nested/new.txt",
        "+created",
      ),
    ).toEqual({
      files: { "nested/new.txt": "created\n", "modify.txt": "line1\nchanged\n" },
      text: success("A nested/new.txt", "M modify.txt", "D delete.txt"),
    });
  });

  test("are moved into new folders, and their neighbours stay (X81)", async () => {
    const before = { "old/name.txt": "old content\n", "old/other.txt": "unrelated file\n" };

    expect(
      await patched(
        before,
        "*** Update File: old/name.txt",
        "*** Move to: renamed/dir/name.txt",
        "@@",
        "-old content",
        "+new content",
      ),
    ).toEqual({
      files: { "renamed/dir/name.txt": "new content\n", "old/other.txt": "unrelated file\n" },
      text: success("M renamed/dir/name.txt"),
    });
  });

  test("that are there already are written over by a move and by an addition (X87)", async () => {
    const moved = await patched(
      { "old/name.txt": "from\n", "renamed/dir/name.txt": "existing\n" },
      "*** Update File: old/name.txt",
      "*** Move to: renamed/dir/name.txt",
      "@@",
      "-from",
      "+new",
    );
    const added = await patched({ "duplicate.txt": "old content\n" }, "*** Add File: duplicate.txt", "+new content");

    expect(moved).toEqual({ files: { "renamed/dir/name.txt": "new\n" }, text: success("M renamed/dir/name.txt") });
    expect(added).toEqual({ files: { "duplicate.txt": "new content\n" }, text: success("A duplicate.txt") });
  });

  test("are deleted, and others stay (X94)", async () => {
    expect(await patched({ "keep.txt": "keep\n", "obsolete.txt": "x\n" }, "*** Delete File: obsolete.txt")).toEqual({
      files: { "keep.txt": "keep\n" },
      text: success("D obsolete.txt"),
    });
  });

  test("are moved as they are where nothing in them changes (X113)", async () => {
    const before = { "a.txt": "one\r\ntwo" };

    expect(await patched(before, "*** Update File: a.txt", "*** Move to: b/a.txt", "@@", " one")).toEqual({
      files: { "b/a.txt": "one\r\ntwo" },
      text: success("M b/a.txt"),
    });
    // Onto itself it stays where it is.
    const stays = await patched(before, "*** Update File: a.txt", "*** Move to: ./a.txt", "@@", "-one", "+1");
    expect(stays.files).toEqual({ "a.txt": "1\r\ntwo\r\n" });
  });
});

describe("hunks", () => {
  test("that are none are an error of their own (X82)", async () => {
    const { error } = await patched({});

    expect(error).toMatchObject({
      code: "PATCH_EMPTY",
      message: "No files were modified.",
      toolMessage: "patch rejected: empty patch",
    });
  });

  test("are applied all or none: of an addition before a change that fails nothing is left (X90)", async () => {
    const before = { "there.txt": "x\n" };
    const { files, error } = await patched(
      before,
      "*** Add File: created.txt",
      "+hello",
      "*** Update File: missing.txt",
      "@@",
      "-old",
      "+new",
    );

    expect(files).toEqual(before);
    expect(error).toMatchObject({
      code: "PATCH_FILE",
      message: "Failed to read file to update missing.txt: No such file or directory (os error 2)",
    });
  });

  test("are applied in order: an addition and changes of one file see what was before them (X106)", async () => {
    const added = await patched(
      {},
      "*** Add File: new.txt",
      "+one",
      "+two",
      "*** Update File: new.txt",
      "@@",
      "-two",
      "+2",
    );
    const twice = await patched(
      { "a.txt": "1\n2\n3\n" },
      "*** Update File: a.txt",
      "@@",
      "-2",
      "+two",
      "*** Update File: a.txt",
      "@@",
      " two",
      "-3",
      "+three",
    );
    const moved = await patched(
      { "a.txt": "1\n" },
      "*** Update File: a.txt",
      "*** Move to: b.txt",
      "@@",
      "-1",
      "+2",
      "*** Update File: b.txt",
      "@@",
      "-2",
      "+3",
      "*** Add File: a.txt",
      "+again",
    );

    expect(added).toEqual({ files: { "new.txt": "one\n2\n" }, text: success("A new.txt", "M new.txt") });
    expect(twice).toEqual({ files: { "a.txt": "1\ntwo\nthree\n" }, text: success("M a.txt") });
    expect(moved.files).toEqual({ "a.txt": "again\n", "b.txt": "3\n" });
  });
});

describe("what cannot be done changes nothing", () => {
  test("to delete a file that is missing, or a folder (X84)", async () => {
    const before = { "dir/foo.txt": "x\n" };
    const missing = await patched(before, "*** Delete File: missing.txt");
    const folder = await patched(before, "*** Delete File: dir");

    expect(missing.error).toMatchObject({
      message: "Failed to delete file missing.txt",
      toolMessage:
        "apply_patch verification failed: Failed to read missing.txt: No such file or directory (os error 2)",
    });
    expect(folder.error).toMatchObject({
      message: "Failed to delete file dir",
      toolMessage: "apply_patch verification failed: Failed to read dir: Is a directory (os error 21)",
    });
    expect(folder.files).toEqual(before);
  });

  test("to change a file that is missing, a folder, or no text (X86)", async () => {
    const update = (path: string): Promise<{ error?: unknown }> =>
      patched({ "dir/foo.txt": "x\n" }, `*** Update File: ${path}`, "@@", "-old", "+new");
    const failed = "Failed to read file to update";

    expect((await update("missing.txt")).error).toMatchObject({
      message: `${failed} missing.txt: No such file or directory (os error 2)`,
      toolMessage: `apply_patch verification failed: ${failed} missing.txt: No such file or directory (os error 2)`,
    });
    expect((await update("dir")).error).toMatchObject({ message: `${failed} dir: Is a directory (os error 21)` });
    const files = new PatchedFiles();
    await files.workspace.write("image.png", Uint8Array.of(0x89, 0x50, 0xff, 0x0a));
    await expect(files.apply(patchOf("*** Update File: image.png", "@@", "-a", "+b"))).rejects.toMatchObject({
      message: `${failed} image.png: stream did not contain valid UTF-8`,
    });
  });

  test("to write over a folder, or into a file", async () => {
    const before = { "a/b": "x\n" };
    const over = await patched(before, "*** Add File: a", "+x");
    const into = await patched(before, "*** Update File: a/b", "*** Move to: a/b/c", "@@", " x");
    const made = await patched(before, "*** Add File: new/one", "+x", "*** Add File: new", "+x");

    expect(over.error).toMatchObject({ code: "PATCH_FILE", message: "Failed to write file a" });
    expect(into.error).toMatchObject({ message: "Failed to create parent directories for a/b/c" });
    expect(made).toMatchObject({ files: before, error: { message: "Failed to write file new" } });
  });

  test("to write outside of the workspace, by a path or by a move (X107)", async () => {
    const text = "patch rejected: writing outside of the project; rejected by user approval settings";
    const before = { "a.txt": "a\n" };
    const hunks = [
      ["*** Add File: ../x", "+x"],
      ["*** Add File: /etc/passwd", "+x"],
      ["*** Delete File: a/../../x"],
      ["*** Update File: a.txt", "*** Move to: ../x", "@@", "-a", "+b"],
    ];

    for (const hunk of hunks) {
      const { files, error } = await patched(before, "*** Add File: first", "+x", ...hunk);
      expect(error).toMatchObject({ code: "PATCH_OUTSIDE", message: text, toolMessage: text });
      expect(files).toEqual(before);
    }
  });

  test("to write where no file can be, or more than fits", async () => {
    const { files, error } = await patched({ a: "1\n" }, "*** Delete File: a", "*** Add File: b\\c", "+x");

    expect(error).toMatchObject({ code: "PATCH_FILE", path: "b\\c" });
    expect(error).toMatchObject({ message: expect.stringContaining("Failed to write file b\\c: ") as string });
    expect(files).toEqual({ a: "1\n" });
  });

  test("to change a file that something else wrote meanwhile: both versions are said, and what it holds now stays", async () => {
    const files = await PatchedFiles.of({ "a.txt": "1\n", "b.txt": "1\n" });
    const { version } = await files.workspace.readVersion("b.txt");
    files.beforeWrite = async () => {
      await files.workspace.write("b.txt", "theirs\n");
    };
    const hunk = (path: string): string[] => [`*** Update File: ${path}`, "@@", "-1", "+2"];

    const late = files.apply(patchOf(...hunk("a.txt"), ...hunk("./b.txt")));

    const error: unknown = await late.catch((thrown: unknown) => thrown);
    const now = (await files.workspace.readVersion("b.txt")).version;
    expect(error).toMatchObject({ code: "PATCH_CONFLICT", path: "./b.txt", expected: version, found: now });
    expect(error).toMatchObject({ message: expect.stringMatching(new RegExp(`${version}.*${now}`)) as string });
    expect(await files.all()).toEqual({ "a.txt": "1\n", "b.txt": "theirs\n" });

    files.beforeWrite = async () => {
      await files.workspace.write("new.txt", "theirs\n");
    };
    await expect(files.apply(patchOf("*** Add File: new.txt", "+mine"))).rejects.toMatchObject({
      code: "PATCH_CONFLICT",
      expected: null,
    });
    expect((await files.all())["new.txt"]).toBe("theirs\n");
  });
});

test("paths may be absolute, or begin in a folder, and are listed as written", async () => {
  const files = await PatchedFiles.of({ "sub/a.txt": "1\n" });

  const { text } = await files.apply(
    patchOf(
      "*** Update File: ./a.txt",
      "@@",
      "-1",
      "+2",
      "*** Add File: /workspace/b.txt",
      "+b",
      "*** Add File: ../c",
      "+c",
    ),
    { folder: "sub" },
  );

  expect(text).toBe(success("A /workspace/b.txt", "A ../c", "M ./a.txt"));
  expect(await files.all()).toEqual({ "b.txt": "b\n", c: "c\n", "sub/a.txt": "2\n" });
});
