import { beforeEach, describe, expect, test } from "vitest";

import { encodeText, listKeys, memoryStorage, type StorageBackend } from "../../../src/storage/index.js";
import { Workspace, WorkspaceConflictError, type WorkspaceEvent } from "../../../src/workspace/index.js";

let storage: StorageBackend;
let workspace: Workspace;
let events: WorkspaceEvent[];

beforeEach(() => {
  storage = memoryStorage();
  workspace = new Workspace(storage);
  events = [];
  workspace.onChange((event) => events.push(event));
});

const versionOf = async (path: string): Promise<string> => (await workspace.readVersion(path)).version;
const textOf = async (path: string): Promise<string> => new TextDecoder().decode(await workspace.read(path));
const paths = async (): Promise<string[]> => (await workspace.list()).map(({ path }) => path);

describe("what a run changed", () => {
  /** The storage as a tab has it to which another one is faster: `before` is called before its next write. */
  function slowTab(before: () => Promise<unknown>): StorageBackend {
    let isFirst = true;
    return {
      get: (key) => storage.get(key),
      keys: (prefix) => storage.keys(prefix),
      write: async (entries, options) => {
        if (isFirst) {
          isFirst = false;
          await before();
        }
        return storage.write(entries, options);
      },
      close: () => undefined,
    };
  }

  test.each([
    ["changed", "theirs", { a: "theirs", "a.conflict-1": "mine" }],
    ["deleted", null, { a: "mine" }],
  ])("is kept beside what another tab has %s at the last moment", async (_name, theirs, expected) => {
    await workspace.write("a", "old");
    const slow = new Workspace(slowTab(() => workspace.writeAll(new Map([["a", theirs]]))));
    const mirror = slow.mirror();
    await mirror.takeChanges();

    const { conflicts } = await mirror.applyChanges([{ path: "a", content: encodeText("mine") }]);

    const found = await Promise.all((await paths()).map(async (path) => [path, await textOf(path)] as const));
    expect(Object.fromEntries(found)).toEqual(expected);
    expect(conflicts).toEqual(theirs === null ? [] : [{ path: "a", keptAs: "a.conflict-1" }]);
  });

  test("takes the place of a file that cannot be read", async () => {
    await workspace.write("a", "old");
    await storage.write(new Map([["workspace/index/a", encodeText("{")]]));

    await workspace.mirror().applyChanges([{ path: "a", content: encodeText("mine") }]);

    expect(await textOf("a")).toBe("mine");
  });
});

describe("a version", () => {
  test("is read with the content it is of, and is another one for each write", async () => {
    const written = await workspace.write("a", "1");
    const first = await workspace.readVersion("a");

    expect(first).toEqual({ content: encodeText("1"), version: written.version });
    expect(await workspace.list()).toEqual([written]);
    await workspace.write("a", "1");
    expect(await versionOf("a")).not.toBe(first.version);
    await expect(workspace.readVersion("none")).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
    await expect(workspace.readVersion("../x")).rejects.toMatchObject({ code: "WORKSPACE_PATH" });
  });

  test("lets a file be written that is still in it, and no other", async () => {
    const { version } = await workspace.write("a", "1");
    const next = await workspace.write("a", "2", { ifVersion: version });

    const late = workspace.write("a", "3", { ifVersion: version });

    await expect(late).rejects.toBeInstanceOf(WorkspaceConflictError);
    await expect(late).rejects.toMatchObject({
      code: "WORKSPACE_CONFLICT",
      path: "a",
      expected: version,
      found: next.version,
      message:
        `The file "a" has changed meanwhile: version ${version} was expected, and now it is in version ${next.version}. ` +
        "Nothing was written; read it again and decide what is to stay.",
    });
    expect(await textOf("a")).toBe("2");
    expect(events).toHaveLength(2);
  });

  test("of null has a file written only where there is none", async () => {
    const { version } = await workspace.write("a", "1", { ifVersion: null });

    await expect(workspace.write("a", "2", { ifVersion: null })).rejects.toMatchObject({
      expected: null,
      found: version,
      message: expect.stringContaining(`no file was expected, and now it is in version ${version}.`) as string,
    });
    await workspace.delete("a");
    await expect(workspace.write("a", "2", { ifVersion: version })).rejects.toMatchObject({
      expected: version,
      found: null,
      message: expect.stringContaining("and now it is gone.") as string,
    });
    expect(await paths()).toEqual([]);
  });

  test("that another holder of the storage wrote between the look and the write is a conflict as well", async () => {
    const { version } = await workspace.write("a", "1");
    const other = new Workspace(storage);
    let theirs = "";
    // What another tab does just before the write, which a look could not have seen.
    const late = new Workspace({
      get: (key) => storage.get(key),
      keys: (prefix) => storage.keys(prefix),
      close: () => undefined,
      write: async (entries, options) => {
        theirs = (await other.write("a", "theirs")).version;
        await storage.write(entries, options);
      },
    });

    const write = late.writeAll(
      new Map([
        ["b", "new"],
        ["a", "mine"],
      ]),
      { ifVersion: new Map([["a", version]]) },
    );

    await expect(write).rejects.toMatchObject({ code: "WORKSPACE_CONFLICT", path: "a", expected: version });
    await expect(write).rejects.toMatchObject({ found: theirs });
    expect(await paths()).toEqual(["a"]);
    expect(await textOf("a")).toBe("theirs");
  });

  test("of a damaged file is not known, and it is left as it is", async () => {
    await workspace.write("a", "1");
    await storage.write(new Map([["workspace/index/a", encodeText("{")]]));

    await expect(workspace.readVersion("a")).rejects.toMatchObject({ code: "STORAGE_READ" });
    await expect(workspace.write("a", "2", { ifVersion: null })).rejects.toMatchObject({ code: "STORAGE_READ" });
    expect(await textOf("a")).toBe("1");
  });
});

describe("files written together", () => {
  test("are all there, or gone, and each is told of", async () => {
    await workspace.write("gone", "x");
    await workspace.write("folder", "x");
    events = [];

    const written = await workspace.writeAll(
      new Map<string, Uint8Array | string | null>([
        ["folder/inside", "text"],
        ["folder", null],
        ["bytes", encodeText("b")],
        ["gone", null],
        ["never", null],
      ]),
    );

    expect(written.map(({ path, size }) => [path, size])).toEqual([
      ["folder/inside", 4],
      ["bytes", 1],
    ]);
    expect(await workspace.list()).toEqual(written.toReversed());
    expect(await listKeys(storage, "workspace/data/")).toEqual([
      "workspace/data/bytes",
      "workspace/data/folder/inside",
    ]);
    expect(events.map(({ kind, path, by }) => [kind, path, by])).toEqual([
      ["written", "folder/inside", "page"],
      ["deleted", "folder", "page"],
      ["written", "bytes", "page"],
      ["deleted", "gone", "page"],
    ]);
  });

  test("are none of them written where one is in another version", async () => {
    const { version } = await workspace.write("a", "1");
    await workspace.write("b", "1");
    events = [];

    const write = workspace.writeAll(
      new Map([
        ["a", "2"],
        ["b", null],
        ["c", "3"],
      ]),
      {
        ifVersion: new Map([
          ["a", version],
          ["c", null],
          ["b", "other"],
        ]),
      },
    );

    await expect(write).rejects.toMatchObject({ code: "WORKSPACE_CONFLICT", path: "b", expected: "other" });
    expect([await textOf("a"), await textOf("b"), await paths()]).toEqual(["1", "1", ["a", "b"]]);
    expect(events).toEqual([]);
  });

  test("may depend on files that are not among them", async () => {
    const { version } = await workspace.write("source", "1");
    const ifVersion = new Map([["source", version]]);
    await workspace.writeAll(new Map([["made", "from 1"]]), { ifVersion });
    await workspace.write("source", "2");

    await expect(workspace.writeAll(new Map([["made", "late"]]), { ifVersion })).rejects.toMatchObject({
      code: "WORKSPACE_CONFLICT",
      path: "source",
    });
    expect(await textOf("made")).toBe("from 1");
  });

  test("fit together with the rest or are none of them written", async () => {
    const small = new Workspace(storage, { maxFileSize: 10, maxTotalSize: 15, maxFiles: 3 });
    await small.write("a", "0123456789");
    const refused = (files: Readonly<Record<string, string | null>>) =>
      expect(small.writeAll(new Map(Object.entries(files)))).rejects;

    await refused({ b: "ok", c: "01234567890" }).toMatchObject({ code: "WORKSPACE_FULL", path: "c", limit: 10 });
    await refused({ b: "1", c: "", d: "" }).toMatchObject({ code: "WORKSPACE_FULL", path: "d", limit: 3 });
    await refused({ b: "012345" }).toMatchObject({ code: "WORKSPACE_FULL", path: "b", limit: 15 });
    await refused({ b: "1", "b/c": "1" }).toMatchObject({ code: "WORKSPACE_PATH", path: "b/c" });
    await refused({ b: "1", "../c": null }).toMatchObject({ code: "WORKSPACE_PATH", path: "../c" });
    expect(await paths()).toEqual(["a"]);
    await small.writeAll(new Map(Object.entries({ b: "0123456789", a: null, c: "01234" })));
    expect(await paths()).toEqual(["b", "c"]);
  });

  test("wait for their turn, and later writes for theirs", async () => {
    const { version } = await workspace.write("a", "1");

    const writes = [
      workspace.write("a", "2", { ifVersion: version }),
      workspace.writeAll(new Map([["a", "3"]]), { ifVersion: new Map([["a", version]]) }),
      workspace.write("a", "4"),
    ];

    expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(await textOf("a")).toBe("4");
  });

  test.each<[string, unknown, unknown, string]>([
    ["files that are no Map", { a: "1" }, {}, "`files` must be a Map, not an object."],
    ["content of another kind", new Map([["a", 1]]), {}, '`files["a"]` must be a string or a Uint8Array or null'],
    ["a path that is no text", new Map([[1, "a"]]), {}, "`path in files` must be a string, not a number."],
    ["versions that are no Map", new Map(), { ifVersion: { a: "1" } }, "`ifVersion` must be a Map, not an object."],
    ["a version of another kind", new Map(), { ifVersion: new Map([["a", 1]]) }, '`ifVersion["a"]` must be a string'],
  ])("refuse %s", async (_, files, options, message) => {
    const write = Reflect.apply(
      async (...given: Parameters<Workspace["writeAll"]>) => workspace.writeAll(...given),
      null,
      [files, options],
    );

    await expect(write).rejects.toMatchObject({ code: "INVALID_OPTION" });
    await expect(write).rejects.toThrow(message);
  });

  test("for a run carry the level of its session", async () => {
    const { version } = await workspace.write("a", "1");
    events = [];

    await workspace.writeForRun(new Map([["a", "2"]]), { trust: "sandboxed", ifVersion: new Map([["a", version]]) });

    expect(await workspace.list()).toMatchObject([{ path: "a", trust: "sandboxed" }]);
    expect(events).toEqual([{ kind: "written", path: "a", by: "run" }]);
  });
});

describe("files that are moved", () => {
  test("keep what is known of who wrote them, all of them or none", async () => {
    const ifVersion = new Map<string, string | null>();
    await workspace.writeForRun(new Map([["src/a", "by code"]]), { trust: "sandboxed", ifVersion });
    await workspace.write("src/b", "by hand");
    await workspace.write("c", "in the way");

    const onto = workspace.move(
      new Map([
        ["src/a", "lib/a"],
        ["src/b", "c"],
      ]),
    );
    await expect(onto).rejects.toMatchObject({ code: "WORKSPACE_CONFLICT", path: "c" });
    expect(await paths()).toEqual(["c", "src/a", "src/b"]);

    events.length = 0;
    const moved = await workspace.move(
      new Map([
        ["src/a", "lib/a"],
        ["src/b", "lib/b"],
      ]),
    );

    expect(await workspace.list()).toMatchObject([
      { path: "c" },
      { path: "lib/a", trust: "sandboxed" },
      { path: "lib/b" },
    ]);
    expect((await workspace.list()).slice(1)).toEqual(moved);
    expect((await workspace.list())[2]).not.toHaveProperty("trust");
    expect(await textOf("lib/a")).toBe("by code");
    expect(events.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "deleted src/a",
      "written lib/a",
      "deleted src/b",
      "written lib/b",
    ]);
  });

  test("may take each other's place, and a folder the place of a file", async () => {
    await workspace.write("a", "1");
    await workspace.write("b", "2");

    await workspace.move(
      new Map([
        ["a", "b"],
        ["b", "a"],
      ]),
    );
    await workspace.move(new Map([["a", "a/inner"]]));

    expect(await textOf("a/inner")).toBe("2");
    expect(await textOf("b")).toBe("1");
    expect(await paths()).toEqual(["a/inner", "b"]);
  });

  test("are refused where one is gone, two would be one, or the path is no path", async () => {
    await workspace.write("a", "1");
    await workspace.write("b", "2");
    const move = (...pairs: [string, string][]): Promise<unknown> => workspace.move(new Map(pairs));

    await expect(move(["none", "c"])).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
    await expect(move(["a", "c"], ["b", "c"])).rejects.toMatchObject({ code: "WORKSPACE_PATH", path: "c" });
    await expect(move(["a", "../c"])).rejects.toMatchObject({ code: "WORKSPACE_PATH" });
    await expect(move(["a", "b/c"])).rejects.toMatchObject({ code: "WORKSPACE_PATH" });
    await expect(workspace.move({ a: "c" } as never)).rejects.toMatchObject({ code: "INVALID_OPTION" });
    expect(await paths()).toEqual(["a", "b"]);
  });
});
