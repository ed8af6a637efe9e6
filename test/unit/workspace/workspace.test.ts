import { beforeEach, describe, expect, test } from "vitest";

import { encodeText, listKeys, memoryStorage, type StorageBackend } from "../../../src/storage/index.js";
import { Workspace, type WorkspaceEvent } from "../../../src/workspace/index.js";

let storage: StorageBackend;
let workspace: Workspace;

beforeEach(() => {
  storage = memoryStorage();
  workspace = new Workspace(storage);
});

describe("files", () => {
  test("are read as they were written, and listed by path with their sizes", async () => {
    await workspace.write("data/b.csv", encodeText("b,c"));
    await workspace.write("a.txt", encodeText("a"));

    expect(await workspace.read("data/b.csv")).toEqual(encodeText("b,c"));
    expect(await new Workspace(storage).list()).toEqual([
      { path: "a.txt", size: 1, version: expect.any(String) as string, modifiedAt: expect.any(Date) },
      { path: "data/b.csv", size: 3, version: expect.any(String) as string, modifiedAt: expect.any(Date) },
    ]);
  });

  test("of text are written as UTF-8, and what is neither text nor bytes is refused", async () => {
    await workspace.write("a.txt", "h\u00e9");

    expect(await workspace.read("a.txt")).toEqual(encodeText("h\u00e9"));
    const write = (content: unknown): unknown =>
      Reflect.apply((...given: Parameters<Workspace["write"]>) => workspace.write(...given), null, ["b", content]);
    await expect(write({ text: "b" })).rejects.toMatchObject({ code: "INVALID_OPTION", option: "content" });
    await expect(write(undefined)).rejects.toMatchObject({ code: "INVALID_OPTION", option: "content" });
    expect((await workspace.list()).map(({ path }) => path)).toEqual(["a.txt"]);
  });

  test("that are missing are an error to read and none to delete", async () => {
    await expect(workspace.read("none")).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND", path: "none" });
    expect(await workspace.delete("none")).toBe(false);
  });

  test("that are deleted leave nothing behind", async () => {
    await workspace.write("a", encodeText("a"));

    expect(await workspace.delete("a")).toBe(true);
    expect(await workspace.list()).toEqual([]);
    expect(await listKeys(storage, "")).toEqual([]);
  });

  test.each(["", "/etc/x", "../x", "a/../../x", "a//b", "./a", "a\0", "a\\b"])("%j is no path", async (path) => {
    await expect(workspace.write(path, new Uint8Array())).rejects.toMatchObject({ code: "WORKSPACE_PATH", path });
    await expect(workspace.read(path)).rejects.toMatchObject({ code: "WORKSPACE_PATH" });
    await expect(workspace.delete(path)).rejects.toMatchObject({ code: "WORKSPACE_PATH" });
  });

  test("are not made folders, nor folders files", async () => {
    await workspace.write("a/b", encodeText("x"));

    await expect(workspace.write("a", encodeText("x"))).rejects.toThrow('"a/b" is there already');
    await expect(workspace.write("a/b/c", encodeText("x"))).rejects.toThrow('"a/b" is there already');
  });

  test("too large for the workspace, alone or together, are refused and the old ones stay", async () => {
    const small = new Workspace(storage, { maxFileSize: 10, maxTotalSize: 15 });
    await small.write("a", encodeText("0123456789"));

    await expect(small.write("a", encodeText("01234567890"))).rejects.toMatchObject({
      code: "WORKSPACE_FULL",
      size: 11,
      limit: 10,
    });
    await expect(small.write("b", encodeText("012345"))).rejects.toMatchObject({ code: "WORKSPACE_FULL", limit: 15 });
    await Promise.allSettled([small.write("c", encodeText("012")), small.write("d", encodeText("345"))]);

    await small.write("a", encodeText("9876543210"));
    expect((await small.list()).map(({ path }) => path)).toEqual(["a", "c"]);
  });

  test("are limited in number, as are their folders, and what is there may still change", async () => {
    const small = new Workspace(storage, { maxFiles: 3 });
    for (const path of ["a/b/1", "a/2", "3"]) await small.write(path, encodeText("x"));

    await expect(small.write("4", encodeText("x"))).rejects.toMatchObject({
      code: "WORKSPACE_FULL",
      limit: 3,
      message:
        '"4" with 1 bytes does not fit: the workspace may have 3 files. Delete some, or put many small ones into one.',
    });
    await small.write("a/2", encodeText("changed"));
    await small.delete("3");
    await expect(small.write("c/d/4", encodeText("x"))).rejects.toThrow("the workspace may have 3 folders.");
    await small.write("a/c/4", encodeText("x"));
    await small.delete("a/b/1");
    await small.write("a/b", encodeText("x"));
    expect((await small.list()).map(({ path }) => path)).toEqual(["a/2", "a/b", "a/c/4"]);
  });

  test("a damaged entry is a problem, and the others are listed", async () => {
    await workspace.write("good", encodeText("a"));
    await workspace.write("bad", encodeText("b"));
    await storage.write(
      new Map([
        ["workspace/index/bad", encodeText("{")],
        ["workspace/index/../x", encodeText("{}")],
      ]),
    );

    expect((await workspace.list()).map(({ path }) => path)).toEqual(["good"]);
    expect((await workspace.problems()).map(({ file }) => file)).toEqual([
      "workspace/index/../x",
      "workspace/index/bad",
    ]);
    expect(await workspace.read("bad")).toEqual(encodeText("b"));
    await workspace.write("bad", encodeText("repaired"));
    expect((await workspace.problems()).map(({ file }) => file)).toEqual(["workspace/index/../x"]);
  });
});

describe("a mirror", () => {
  test("sends everything once, then what changed", async () => {
    await workspace.write("a", encodeText("1"));
    await workspace.write("b", encodeText("1"));
    const mirror = workspace.mirror();

    expect(await mirror.takeChanges()).toEqual([
      { path: "a", content: encodeText("1") },
      { path: "b", content: encodeText("1") },
    ]);
    expect(await mirror.takeChanges()).toEqual([]);

    await workspace.write("b", encodeText("2"));
    await workspace.write("c", encodeText("3"));
    await workspace.delete("a");
    expect(await mirror.takeChanges()).toEqual([
      { path: "a", content: null },
      { path: "b", content: encodeText("2") },
      { path: "c", content: encodeText("3") },
    ]);
  });

  test("of a new interpreter starts anew", async () => {
    await workspace.write("a", encodeText("1"));
    await workspace.mirror().takeChanges();

    expect(await workspace.mirror().takeChanges()).toHaveLength(1);
  });

  test("sees what another tab wrote", async () => {
    const mirror = workspace.mirror();
    await mirror.takeChanges();

    await new Workspace(storage).write("theirs", encodeText("x"));

    expect(await mirror.takeChanges()).toEqual([{ path: "theirs", content: encodeText("x") }]);
  });

  test("stores what a run changed, does not send it back, and others get it", async () => {
    await workspace.write("old", encodeText("x"));
    const [mirror, other] = [workspace.mirror("sandboxed"), workspace.mirror()];
    await mirror.takeChanges();
    await other.takeChanges();

    const applied = await mirror.applyChanges([
      { path: "old", content: null },
      { path: "out/chart.svg", content: encodeText("<svg/>") },
    ]);

    expect(applied).toEqual({ paths: ["old", "out/chart.svg"], conflicts: [], problems: [] });
    expect(await workspace.list()).toMatchObject([{ path: "out/chart.svg", trust: "sandboxed" }]);
    expect(await mirror.takeChanges()).toEqual([]);
    expect(await other.takeChanges()).toEqual([
      { path: "old", content: null },
      { path: "out/chart.svg", content: encodeText("<svg/>") },
    ]);
  });

  test("lets a run make a folder of a file and a file of a folder", async () => {
    await workspace.write("a", encodeText("x"));
    await workspace.write("b/c", encodeText("x"));
    const mirror = workspace.mirror();
    await mirror.takeChanges();

    await mirror.applyChanges([
      { path: "a/x", content: encodeText("1") },
      { path: "a", content: null },
      { path: "b", content: encodeText("2") },
      { path: "b/c", content: null },
    ]);

    expect((await workspace.list()).map(({ path }) => path)).toEqual(["a/x", "b"]);
  });

  test("keeps the page's file and the run's when both changed it", async () => {
    await workspace.write("data.csv", encodeText("old"));
    await workspace.write("gone.txt", encodeText("old"));
    const mirror = workspace.mirror();
    await mirror.takeChanges();
    await workspace.write("data.csv", encodeText("page"));
    await workspace.write("gone.txt", encodeText("page"));

    const { conflicts } = await mirror.applyChanges([
      { path: "data.csv", content: encodeText("run") },
      { path: "gone.txt", content: null },
    ]);

    expect(conflicts).toEqual([
      { path: "gone.txt", keptAs: null },
      { path: "data.csv", keptAs: "data.conflict-1.csv" },
    ]);
    expect(await workspace.read("data.csv")).toEqual(encodeText("page"));
    expect(await workspace.read("data.conflict-1.csv")).toEqual(encodeText("run"));
    expect(await mirror.takeChanges()).toEqual([
      { path: "data.conflict-1.csv", content: encodeText("run") },
      { path: "data.csv", content: encodeText("page") },
      { path: "gone.txt", content: encodeText("page") },
    ]);
    expect(await mirror.takeChanges()).toEqual([]);
  });

  test("keeps what a run wrote though the page deleted the file meanwhile", async () => {
    await workspace.write("a", encodeText("old"));
    const mirror = workspace.mirror();
    await mirror.takeChanges();
    await workspace.delete("a");

    await mirror.applyChanges([{ path: "a", content: encodeText("run") }]);

    expect(await workspace.read("a")).toEqual(encodeText("run"));
  });

  test("leaves out what cannot be stored, and stores the rest", async () => {
    const small = new Workspace(storage, { maxFileSize: 10 });
    const mirror = small.mirror();

    const { paths, problems } = await mirror.applyChanges([
      { path: "../etc", content: encodeText("x") },
      { path: "big", content: new Uint8Array(11) },
      { path: "good", content: encodeText("x") },
      { path: "good/x", content: encodeText("x") },
      { path: "never", content: null },
    ]);

    expect(paths).toEqual(["good"]);
    expect(problems.map(({ file, code }) => [file, code])).toEqual([
      ["../etc", "WORKSPACE_PATH"],
      ["big", "WORKSPACE_FULL"],
      ["good/x", "WORKSPACE_PATH"],
    ]);
  });

  test("takes thousands of changes in slices, and looks at none of the other files for each", async () => {
    const deep = "folder/".repeat(100);
    const changes = Array.from({ length: 10_000 }, (_, index) => ({
      path: `${deep}${String(index)}`,
      content: encodeText("x"),
    }));
    let turns = 0;
    const heart = setInterval(() => (turns += 1));

    const { paths, problems } = await workspace.mirror().applyChanges(changes);
    clearInterval(heart);

    expect(paths).toHaveLength(5000);
    expect(problems).toHaveLength(5000);
    expect(problems.at(-1)).toMatchObject({ file: `${deep}9999`, code: "WORKSPACE_FULL" });
    expect(turns).toBeGreaterThan(3);
  });

  test("keeps what a full storage refused and stores it when there is room", async () => {
    const limited = memoryStorage({ limit: 1000 });
    const small = new Workspace(limited);
    await small.write("old", new Uint8Array(600));
    const mirror = small.mirror();
    await mirror.takeChanges();

    const refused = mirror.applyChanges([{ path: "new", content: new Uint8Array(600) }]);
    await expect(refused).rejects.toMatchObject({ code: "STORAGE_FULL" });
    expect(await mirror.takeChanges()).toEqual([]);

    await small.delete("old");
    const { paths } = await mirror.applyChanges([{ path: "more", content: encodeText("x") }]);
    expect(paths).toEqual(["new", "more"]);
  });
});

test("listeners hear who wrote what", async () => {
  const events: WorkspaceEvent[] = [];
  const stop = workspace.onChange((event) => events.push(event));

  await workspace.write("a", encodeText("1"));
  await workspace.mirror().applyChanges([{ path: "b", content: encodeText("1") }]);
  await workspace.delete("a");
  await workspace.delete("a");
  stop();
  await workspace.delete("b");

  expect(events).toEqual([
    { kind: "written", path: "a", by: "page" },
    { kind: "written", path: "b", by: "run" },
    { kind: "deleted", path: "a", by: "page" },
  ]);
});
