import { beforeEach, describe, expect, test } from "vitest";

import { ArtifactNotFoundError, ArtifactStore, type ArtifactChange } from "../../../src/artifacts/index.js";
import { PythonFloat, Tuple, type Value } from "../../../src/protocol/index.js";
import { encodeJson, encodeText, listKeys, memoryStorage, type StorageBackend } from "../../../src/storage/index.js";

let storage: StorageBackend;
let artifacts: ArtifactStore;

beforeEach(() => {
  storage = memoryStorage();
  artifacts = new ArtifactStore(storage);
});

describe("saving and loading", () => {
  test.each<[string, string, Value]>([
    ["F1", "a.json", { x: [1, null, true, 1.5] }],
    ["F1", "plain", { x: [1, null, true, 1.5] }],
    ["F2", "list", [1, 2]],
    ["F3", "t.txt", "hello"],
    ["F4", "image.png", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0xff)],
    ["F7", "s.json", "not json {"],
    ["F8", "s2.json", '{"a": 1}'],
    ["F17", "sub/dir/x.json", { deep: true }],
    ["F26", "unicode", { ö: "😀", nan: NaN, big: 2n ** 70n }],
    ["", "bom.txt", "\ufefftext"],
    ["", "empty.txt", ""],
    ["", "number", 5],
    ["", "nothing", null],
  ])("%s: %s comes back as it was saved", async (_row, name, data) => {
    await artifacts.save(name, data);

    expect(await artifacts.load(name)).toEqual(data);
  });

  test("keys that are no strings become strings, tuples become lists (F6)", async () => {
    await artifacts.save("a", { map: new Map([[1, "a"]]), tuple: Tuple.from([1, 2]), float: new PythonFloat(1) });

    expect(await artifacts.load("a")).toEqual({ map: { "1": "a" }, tuple: [1, 2], float: 1 });
  });

  test("JSON that Python wrote is kept to the letter", async () => {
    const text = '{"b": 1.0, "a": [NaN, 1e400, 123456789012345678901]}';

    await artifacts.saveContent("a.json", { kind: "json", data: text });

    expect(await artifacts.loadContent("a.json")).toEqual({ kind: "json", data: text });
    expect(new TextDecoder().decode(await artifacts.loadBytes("a.json"))).toBe(text);
  });

  test("3 MB of text come back whole (F25)", async () => {
    await artifacts.save("long.txt", "x".repeat(3_000_000));

    expect(await artifacts.load("long.txt")).toHaveLength(3_000_000);
  });

  test.each<[string, Value]>([
    ["a date", { when: new Date(0) }],
    ["bytes inside JSON", [Uint8Array.of(1)]],
    ["a set", new Set([1])],
  ])("%s is refused with what was there untouched (F9)", async (_, data) => {
    await artifacts.save("a", "old");

    await expect(artifacts.save("a", data)).rejects.toMatchObject({ name: "ArtifactDataError", code: "ARTIFACT_DATA" });
    await expect(artifacts.save("a", data)).rejects.toThrow("is not JSON serializable");
    expect(await artifacts.load("a")).toBe("old");
    expect(await artifacts.list()).toHaveLength(1);
  });

  test("metadata that is no JSON is refused before anything is written", async () => {
    await expect(artifacts.save("a", "text", { metadata: { at: new Date(0) } })).rejects.toThrow("in its metadata");
    expect(await listKeys(storage, "")).toEqual([]);
  });

  test("what is missing is an error for load and none for get, exists and delete (F11, F12)", async () => {
    const load = artifacts.load("missing");

    await expect(load).rejects.toMatchObject({
      name: "ArtifactNotFoundError",
      message: "Artifact 'missing' not found",
    });
    expect(new ArtifactNotFoundError("missing").details()).toEqual({ artifact_name: "missing" });
    expect(await artifacts.get("missing")).toBeNull();
    expect(await artifacts.exists("missing")).toBe(false);
    await artifacts.delete("missing");
  });

  test("saving tells all there is to know, and so does get (F13, F14)", async () => {
    const before = Date.now();

    const saved = await artifacts.save("sub/a.txt", "häh", { description: "A text", metadata: { src: "t", n: 2 } });

    expect(saved).toEqual({
      name: "sub/a.txt",
      path: "/artifacts/sub/a.txt",
      description: "A text",
      metadata: { src: "t", n: 2 },
      createdAt: expect.any(Date),
      size: 4,
      kind: "text",
    });
    expect(saved.createdAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(await artifacts.get("sub/a.txt")).toEqual(saved);
    expect(await artifacts.list()).toEqual([saved]);
  });

  test("overwriting changes the kind, keeps one entry and its place (F15, F21)", async () => {
    await artifacts.save("z", "text");
    await artifacts.save("ow", "text", { description: "old" });
    await artifacts.save("a", "text");
    await artifacts.save("ow", { now: "a dict" });

    expect(await artifacts.load("ow")).toEqual({ now: "a dict" });
    const list = await artifacts.list();
    expect(list.map(({ name }) => name)).toEqual(["z", "ow", "a"]);
    expect(list[1]).toMatchObject({ kind: "json", description: "" });
  });

  test("a new store lists what an old one saved, in the same order", async () => {
    for (const name of ["c", "a", "b"]) await artifacts.save(name, name);

    const list = await new ArtifactStore(storage).list();

    expect(list.map(({ name }) => name)).toEqual(["c", "a", "b"]);
  });

  test("what was deleted is gone with its entry", async () => {
    await artifacts.save("a", "text");

    await artifacts.delete("a");

    expect(await artifacts.list()).toEqual([]);
    expect(await artifacts.exists("a")).toBe(false);
    expect(await listKeys(storage, "")).toEqual([]);
  });

  test("a save that does not fit leaves the old artifact whole", async () => {
    const small = new ArtifactStore(memoryStorage({ limit: 1000 }));
    const old = await small.save("a", "old", { description: "old" });

    await expect(small.save("a", "x".repeat(2000), { description: "new" })).rejects.toMatchObject({
      code: "STORAGE_FULL",
    });

    expect(await small.load("a")).toBe("old");
    expect(await small.get("a")).toEqual(old);
  });
});

describe("the room for all of them", () => {
  let store: ArtifactStore;

  beforeEach(async () => {
    store = new ArtifactStore(storage, { size: 10_000 });
    await store.save("a", "x".repeat(6000));
  });

  test("is not passed: an artifact that does not fit is refused, and what is there stays", async () => {
    await expect(store.save("b", "x".repeat(4100))).rejects.toMatchObject({
      code: "ARTIFACTS_FULL",
      size: 4100,
      limit: 10_000,
      message: expect.stringContaining("all artifacts together may have 10,000 bytes"),
    });
    await expect(store.save("a", "x".repeat(10_100))).rejects.toMatchObject({ code: "ARTIFACTS_FULL" });

    expect((await store.list()).map(({ name, size }) => [name, size])).toEqual([["a", 6000]]);
    await store.save("b", "x".repeat(3500));
  });

  test("is had again by what is made smaller or deleted", async () => {
    await store.save("a", "x".repeat(1000));
    await store.save("b", "x".repeat(8000));
    await store.delete("b");

    await expect(store.save("c", "x".repeat(8000))).resolves.toMatchObject({ size: 8000 });
  });

  test("is taken by what describes them as well", async () => {
    await expect(store.save("b", "", { description: "x".repeat(5000) })).rejects.toMatchObject({
      code: "ARTIFACTS_FULL",
    });
    await expect(store.save("b", "", { metadata: { of: "x".repeat(5000) } })).rejects.toMatchObject({
      code: "ARTIFACTS_FULL",
    });
  });

  test("is one for all who share a storage, and for what was there before", async () => {
    const other = new ArtifactStore(storage, { size: 10_000 });
    await expect(other.save("b", "x".repeat(4100))).rejects.toMatchObject({ code: "ARTIFACTS_FULL" });

    await other.save("b", "x".repeat(3500));

    await expect(store.save("c", "x".repeat(200))).rejects.toMatchObject({ code: "ARTIFACTS_FULL" });
  });

  test("is counted while many are saved at a time", async () => {
    const saved = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => store.save(`many/${String(n)}`, "x".repeat(1000))),
    );

    expect(saved.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });

  test("is taken by what is saved while something of its name is deleted", async () => {
    await Promise.all([store.delete("a"), store.save("a", "x".repeat(6000))]);

    await expect(store.save("b", "x".repeat(4100))).rejects.toMatchObject({ code: "ARTIFACTS_FULL" });
  });

  test("is not taken by what the storage refused", async () => {
    const full = new ArtifactStore(memoryStorage({ limit: 1000 }), { size: 2500 });
    await expect(full.save("a", "x".repeat(2000))).rejects.toMatchObject({ code: "STORAGE_FULL" });

    await expect(full.save("a", "x".repeat(600))).resolves.toMatchObject({ size: 600 });
  });

  test("is for 5,000 of them", async () => {
    const many = new ArtifactStore(memoryStorage());
    for (let n = 0; n < 5000; n += 1) await many.save(`${String(n % 100)}/${String(n)}`, "");

    await expect(many.save("more", "")).rejects.toMatchObject({
      code: "ARTIFACTS_FULL",
      message: expect.stringContaining("there may be 5,000 artifacts"),
    });
    await many.save("0/0", "again");
  });
});

describe("names", () => {
  const operations: [string, (name: string) => Promise<unknown>][] = [
    ["save", (name) => artifacts.save(name, "x")],
    ["load", (name) => artifacts.load(name)],
    ["get", (name) => artifacts.get(name)],
    ["exists", (name) => artifacts.exists(name)],
    ["delete", (name) => artifacts.delete(name)],
    ["register", (name) => artifacts.register(name)],
    ["writeFile", (name) => artifacts.writeFile(name, new Uint8Array())],
    ["loadBytes", (name) => artifacts.loadBytes(name)],
  ];

  test.each(operations)("%s refuses to leave the folder (F16)", async (_, operation) => {
    for (const name of ["../x", "/etc/x", "a/../../x", ".."]) {
      await expect(operation(name)).rejects.toMatchObject({
        name: "ArtifactNameError",
        code: "ARTIFACT_NAME",
        message: "Path traversal attempt detected",
      });
    }
  });

  test.each(operations)("%s refuses names that are none (F18, F20)", async (_, operation) => {
    for (const name of ["", " ", ".artifacts.json", "a//b", "a/", "a\\b", "a\0", "x".repeat(2000)]) {
      await expect(operation(name), JSON.stringify(name)).rejects.toMatchObject({ code: "ARTIFACT_NAME" });
    }
  });

  test("the kept outputs cannot be written, deleted or registered", async () => {
    for (const name of ["outputs/a.txt", "outputs"]) {
      await expect(artifacts.save(name, "x")).rejects.toThrow("is reserved");
      await expect(artifacts.delete(name)).rejects.toThrow("is reserved");
      await expect(artifacts.register(name)).rejects.toThrow("is reserved");
      expect(await artifacts.exists(name)).toBe(false);
    }
    await artifacts.save("outputs.txt", "not reserved");
  });

  test("a file is not made a folder, nor a folder a file", async () => {
    await artifacts.save("a", "text");
    await artifacts.save("b/c", "text");

    await expect(artifacts.save("a/x", "text")).rejects.toThrow("'a' exists");
    await expect(artifacts.save("b", "text")).rejects.toThrow("'b/c' exists");
    await artifacts.save("ab", "text");
    expect(await artifacts.load("a")).toBe("text");
  });
});

describe("files without an entry", () => {
  test("are loaded and not listed (F22)", async () => {
    await artifacts.writeFile("raw.txt", encodeText("text"));
    await artifacts.writeFile("raw.json", encodeText('{"a": 1}'));
    await artifacts.writeFile("bad.json", encodeText("{"));
    await artifacts.writeFile("raw.bin", Uint8Array.of(0xff));

    expect(await artifacts.load("raw.txt")).toBe("text");
    expect(await artifacts.load("raw.json")).toEqual({ a: 1 });
    expect(await artifacts.load("bad.json")).toBe("{");
    expect(await artifacts.load("raw.bin")).toEqual(Uint8Array.of(0xff));
    expect(await artifacts.exists("raw.bin")).toBe(true);
    expect(await artifacts.list()).toEqual([]);
  });

  test("are listed once they are registered (F23)", async () => {
    await artifacts.writeFile("raw.txt", encodeText("text"));

    const registered = await artifacts.register("raw.txt", "A file", { n: 1 });

    expect(registered).toMatchObject({
      name: "raw.txt",
      kind: "text",
      size: 4,
      description: "A file",
      metadata: { n: 1 },
    });
    expect(await artifacts.list()).toEqual([registered]);
    await expect(artifacts.register("missing", "none")).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
  });

  test("registering anew describes anew and keeps data and kind", async () => {
    await artifacts.save("a", { x: 1 }, { description: "old", metadata: { old: true } });

    await artifacts.register("a", "new");

    expect(await artifacts.get("a")).toMatchObject({ description: "new", metadata: {}, kind: "json" });
    expect(await artifacts.load("a")).toEqual({ x: 1 });
  });

  test("writing over a listed one keeps its entry, with the new size", async () => {
    await artifacts.save("a.txt", "text", { description: "kept" });

    await artifacts.writeFile("a.txt", encodeText("longer text"));

    expect(await artifacts.get("a.txt")).toMatchObject({ description: "kept", size: 11 });
  });
});

describe("damage", () => {
  test("a damaged entry is a problem, its data still load, and the others are listed", async () => {
    await artifacts.save("good", "text");
    await artifacts.save("bad", "still here");
    await storage.write(new Map([["artifacts/index/bad", encodeJson({ kind: "unknown" })]]));
    await storage.write(new Map([["artifacts/index/../x", encodeJson({})]]));

    expect((await artifacts.list()).map(({ name }) => name)).toEqual(["good"]);
    expect(await artifacts.problems()).toMatchObject([
      { file: "artifacts/index/../x", code: "STORAGE_READ" },
      { file: "artifacts/index/bad", code: "STORAGE_READ", message: expect.stringContaining('"kind"') },
    ]);
    expect(await artifacts.load("bad")).toBe("still here");
    await expect(artifacts.get("bad")).rejects.toMatchObject({ code: "STORAGE_READ" });
  });

  test("saving and deleting repair it", async () => {
    await storage.write(
      new Map([
        ["artifacts/index/bad", encodeText("{")],
        ["artifacts/index/worse", encodeText("{")],
      ]),
    );

    await artifacts.save("bad", "new");
    await artifacts.delete("worse");

    expect(await artifacts.problems()).toEqual([]);
    expect(await artifacts.load("bad")).toBe("new");
  });
});

test("listeners hear of each change after it was made", async () => {
  const changes: ArtifactChange[] = [];
  const stop = artifacts.onChange((change) => changes.push(change));

  const saved = await artifacts.save("a", "text");
  await artifacts.delete("a");
  await artifacts.delete("a");
  stop();
  await artifacts.save("b", "text");

  expect(changes).toEqual([
    { kind: "saved", name: "a", artifact: saved },
    { kind: "deleted", name: "a" },
  ]);
});
