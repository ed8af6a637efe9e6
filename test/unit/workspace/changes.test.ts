import { beforeEach, describe, expect, test } from "vitest";

import { encodeText, listKeys, memoryStorage, type StorageBackend } from "../../../src/storage/index.js";
import { Workspace, type WorkspaceChanges } from "../../../src/workspace/index.js";

let storage: StorageBackend;
let workspace: Workspace;

beforeEach(() => {
  storage = memoryStorage();
  workspace = new Workspace(storage);
});

/** Writes as a session's code does whose changes are recorded under this id. */
async function writeRecorded(id: string, files: Readonly<Record<string, string | null>>): Promise<void> {
  const recording = await workspace.recordChanges(id);
  await workspace.writeForRun(new Map(Object.entries(files)), { trust: "sandboxed", ifVersion: new Map(), recording });
}

async function changesOf(id: string, { finished = true } = {}): Promise<WorkspaceChanges> {
  const changes = await workspace.changes(id);
  if (changes === undefined) throw new TypeError(`Nothing is kept of ${id}.`);
  if (finished) await changes.finish();
  return changes;
}

async function tree(): Promise<Record<string, string>> {
  const files = await workspace.list();
  return Object.fromEntries(
    await Promise.all(
      files.map(async ({ path }) => [path, new TextDecoder().decode(await workspace.read(path))] as const),
    ),
  );
}

describe("changes of a recording", () => {
  test("are the files that were added, changed and deleted, with what they held", async () => {
    await workspace.writeAll(new Map(Object.entries({ a: "1", b: "2", same: "3" })));

    await writeRecorded("task", { a: "one", b: null, c: "new", same: "other" });
    await writeRecorded("task", { a: "two", same: "3" });

    const changes = await changesOf("task");
    expect(await changes.files()).toEqual([
      { path: "a", kind: "changed" },
      { path: "b", kind: "deleted" },
      { path: "c", kind: "added" },
    ]);
    expect(await changes.read("a")).toEqual({ before: encodeText("1"), after: encodeText("two") });
    expect(await changes.read("b")).toEqual({ before: encodeText("2"), after: null });
    expect(await changes.read("c")).toEqual({ before: null, after: encodeText("new") });
    await expect(changes.read("none")).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
  });

  test("are those of the recorded session alone, not of the page or of others", async () => {
    await writeRecorded("task", { a: "1" });
    await workspace.write("mine", "page");
    await writeRecorded("other", { b: "2" });

    expect(await (await changesOf("task")).files()).toEqual([{ path: "a", kind: "added" }]);
    expect(await workspace.changesKept()).toHaveLength(2);
  });

  test("of an interpreter are recorded, too", async () => {
    await workspace.write("a", "1");
    const mirror = workspace.mirror("sandboxed", undefined, await workspace.recordChanges("task"));
    await mirror.takeChanges();
    await mirror.applyChanges([{ path: "a", content: encodeText("2") }]);

    expect(await (await changesOf("task")).read("a")).toEqual({ before: encodeText("1"), after: encodeText("2") });
  });

  test("are undone as one, with the mark of the session that had written a file, and made again", async () => {
    await workspace.writeAll(new Map(Object.entries({ a: "1", folder: "a file" })));
    await writeRecorded("before", { marked: "by code" });
    await writeRecorded("task", { a: "2", folder: null, "folder/b": "new", marked: null });
    const changes = await changesOf("task");
    const after = await tree();

    await changes.undo();

    expect([changes.state, await tree()]).toEqual(["undone", { a: "1", folder: "a file", marked: "by code" }]);
    expect((await workspace.list()).map(({ path, trust }) => [path, trust])).toEqual([
      ["a", undefined],
      ["folder", undefined],
      ["marked", "sandboxed"],
    ]);
    expect(await changes.read("a")).toEqual({ before: encodeText("1"), after: encodeText("2") });
    await changes.undo();
    expect(changes.state).toBe("undone");
    await (await changesOf("task", { finished: false })).redo();
    expect(await tree()).toEqual(after);
  });

  test("are not undone where the page has changed a file since, and nothing is written", async () => {
    await writeRecorded("task", { a: "1", b: "2" });
    const changes = await changesOf("task");
    const { version } = await workspace.write("b", "mine");
    const before = await tree();

    await expect(changes.undo()).rejects.toMatchObject({ code: "WORKSPACE_CONFLICT", path: "b", found: version });
    expect([await tree(), changes.state]).toEqual([before, "done"]);
  });

  test("whose earlier content is lost are not undone, and nothing is written", async () => {
    await workspace.write("a", "1");
    await writeRecorded("task", { a: "2", b: "3" });
    await storage.write(new Map([["changes/task/data/a", null]]));

    const changes = await changesOf("task");
    await expect(changes.undo()).rejects.toMatchObject({ code: "STORAGE_READ" });
    expect(await tree()).toEqual({ a: "2", b: "3" });
  });

  test("that do not fit back are not undone", async () => {
    workspace = new Workspace(storage, { maxFiles: 2 });
    await workspace.writeAll(new Map(Object.entries({ a: "1", b: "2" })));
    await writeRecorded("task", { a: null });
    const changes = await changesOf("task");
    await workspace.write("c", "3");

    await expect(changes.undo()).rejects.toMatchObject({ code: "WORKSPACE_FULL" });
    expect(await tree()).toEqual({ b: "2", c: "3" });
  });

  test("go on after the page was closed in the middle", async () => {
    await workspace.write("a", "1");
    await writeRecorded("task", { a: "2" });

    workspace = new Workspace(storage);
    await writeRecorded("task", { a: "3", b: "4" });

    const changes = await changesOf("task");
    await changes.undo();
    expect(await tree()).toEqual({ a: "1" });
  });

  test("of a page that never came back are undone as they stand", async () => {
    await workspace.write("a", "1");
    await writeRecorded("task", { a: "2" });

    const changes = await changesOf("task", { finished: false });
    expect(changes.state).toBe("open");
    await changes.undo();
    expect(await tree()).toEqual({ a: "1" });
  });

  test("keep nothing of files that came and went, however many", async () => {
    await workspace.write("old", "1");
    for (let round = 0; round < 3; round++) {
      await writeRecorded("task", { [`new-${String(round)}`]: "x", old: null });
      await writeRecorded("task", { [`new-${String(round)}`]: null, old: "1" });
      await writeRecorded("task", { never: null });
    }

    expect(await listKeys(storage, "changes/task/index/")).toEqual(["changes/task/index/old"]);
    expect(await (await changesOf("task")).files()).toEqual([]);
  });

  test("of one write are done with it, and are beside those of the session that writes", async () => {
    await workspace.writeAll(new Map(Object.entries({ a: "1", b: "2" })));
    const recording = await workspace.recordChanges("task");
    const more = { trust: "sandboxed", ifVersion: new Map(), recording } as const;

    await workspace.writeForRun(new Map(Object.entries({ a: "one", c: "new" })), { ...more, recordsChanges: "batch" });
    await workspace.writeForRun(new Map([["b", "two"]]), more);

    const batch = await changesOf("batch", { finished: false });
    expect(batch.state).toBe("done");
    expect(await batch.files()).toEqual([
      { path: "a", kind: "changed" },
      { path: "c", kind: "added" },
    ]);
    await batch.undo();
    expect(await tree()).toEqual({ a: "1", b: "two" });
    await batch.redo();
    await (await changesOf("task")).undo();
    expect(await tree()).toEqual({ a: "1", b: "2" });
    await expect(batch.undo()).rejects.toMatchObject({ code: "WORKSPACE_CONFLICT", path: "a" });
  });

  test("of one write that failed are not kept", async () => {
    await workspace.write("a", "1");
    const ifVersion = new Map([["a", "another"]]);

    const writing = workspace.writeForRun(new Map([["a", "2"]]), {
      trust: "sandboxed",
      ifVersion,
      recordsChanges: "batch",
    });

    await expect(writing).rejects.toMatchObject({ code: "WORKSPACE_CONFLICT" });
    expect(await workspace.changesKept()).toEqual([]);
  });

  test("of a session that goes on outlive those of its writes, however many", async () => {
    const recording = await workspace.recordChanges("task");
    for (let write = 0; write < 25; write += 1) {
      await workspace.writeForRun(new Map([["a", String(write)]]), {
        trust: "sandboxed",
        ifVersion: new Map(),
        recording,
        recordsChanges: `batch-${String(write)}`,
      });
    }

    const kept = await workspace.changesKept();
    expect(kept).toHaveLength(20);
    expect(kept).toContain("task");
    expect(await (await changesOf("task")).files()).toEqual([{ path: "a", kind: "added" }]);
  });

  test("of the latest 20 are kept, and can be forgotten", async () => {
    for (let number = 1; number <= 21; number++) {
      await writeRecorded(`task-${String(number)}`, { a: String(number) });
      // The next one is younger.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }

    expect(await workspace.changesKept()).toHaveLength(20);
    expect(await workspace.changes("task-1")).toBeUndefined();
    expect(await listKeys(storage, "changes/task-1/")).toEqual([]);
    await (await changesOf("task-21")).delete();
    expect(await workspace.changesKept()).toHaveLength(19);
    expect(await tree()).toEqual({ a: "21" });
  });

  test.each(["", "../info", "a/b", "x".repeat(65)])("are under no id as %j", async (id) => {
    expect(await workspace.changes(id)).toBeUndefined();
  });
});
