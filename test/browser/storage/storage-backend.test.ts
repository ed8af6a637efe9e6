import { afterEach, describe, expect, test } from "vitest";

import { indexedDBStorage, memoryStorage, overlayStorage, type StorageBackend } from "../../../src/storage/index.js";
import { freshName } from "./fresh-name.js";
import { setQuota } from "./site-data.js";

interface Kind {
  readonly name: string;
  /** `limit`: bytes of room, for a store that is meant to run full. */
  readonly open: (options?: { limit: number }) => Promise<StorageBackend>;
  /** One store, as two tabs have it; or two holders in one page, where the store is not shared between tabs. */
  readonly openTwice: () => readonly [StorageBackend, StorageBackend];
}

const kinds: Kind[] = [
  {
    name: "memory",
    open: (options) => Promise.resolve(memoryStorage(options)),
    openTwice: () => twice(memoryStorage()),
  },
  {
    name: "overlay",
    open: (options) => Promise.resolve(overlayStorage(memoryStorage(), [""], options)),
    openTwice: () => twice(overlayStorage(memoryStorage(), [""])),
  },
  {
    name: "IndexedDB",
    open: async (options) => {
      limited = options !== undefined;
      if (options !== undefined) await setQuota(options.limit);
      return indexedDBStorage(freshName());
    },
    openTwice: () => {
      const name = freshName();
      return [indexedDBStorage(name), indexedDBStorage(name)];
    },
  },
];

let limited = false;

afterEach(async () => {
  if (limited) await setQuota(null);
  limited = false;
});

function twice(storage: StorageBackend): readonly [StorageBackend, StorageBackend] {
  return [storage, storage];
}

describe.each(kinds)("$name storage", ({ open, openTwice }) => {
  test("what was written is read back, byte for byte", async () => {
    const storage = await open();
    const content = Uint8Array.from({ length: 256 }, (_, index) => index);

    await storage.write(
      new Map([
        ["artifacts/data/a/ö.bin", content],
        ["empty", new Uint8Array()],
      ]),
    );

    expect(await storage.get("artifacts/data/a/ö.bin")).toEqual(content);
    expect(await storage.get("empty")).toEqual(new Uint8Array());
  });

  test("a key that nobody wrote, or that was deleted, reads as undefined", async () => {
    const storage = await open();
    await storage.write(new Map([["note", bytes("text")]]));

    await storage.write(new Map([["note", null]]));

    expect(await storage.get("note")).toBeUndefined();
    expect(await storage.get("never")).toBeUndefined();
  });

  test("keys come in key order and only those with the prefix", async () => {
    const storage = await open();
    const names = ["b", "tools/z", "tools/a", "tools/é", "tools0", "tools", "tools/\uffff", "a"];
    await storage.write(new Map(names.map((name) => [name, bytes(name)])));

    expect(await collect(storage.keys("tools/"))).toEqual(["tools/a", "tools/z", "tools/é", "tools/\uffff"]);
    expect(await collect(storage.keys(""))).toEqual([...names].sort());
    expect(await collect(storage.keys("none/"))).toEqual([]);
  });

  test("a read sees every write that was issued before it", async () => {
    const storage = await open();

    const writes = [1, 2, 3].map((n) => storage.write(new Map([["n", bytes(String(n))]])));
    const read = storage.get("n");
    const keys = collect(storage.keys("n"));
    await Promise.all(writes);

    expect(await read).toEqual(bytes("3"));
    expect(await keys).toEqual(["n"]);
  });

  test("reads issued together see one state while others write", async () => {
    const storage = await open();
    const names = Array.from({ length: 50 }, (_, index) => `item/${String(index)}`);
    const writeAll = (text: string): Promise<void> => storage.write(new Map(names.map((name) => [name, bytes(text)])));
    await writeAll("0");

    const writes = ["1", "2", "3"].map(writeAll);
    const reads = Promise.all(names.map((name) => storage.get(name)));
    const later = writeAll("4");

    const seen = new Set((await reads).map((content) => new TextDecoder().decode(content)));
    await Promise.all([...writes, later]);
    expect(seen.size).toBe(1);
  });

  test("a view is stored as what it shows, not with the buffer behind it", async () => {
    const storage = await open();
    const buffer = new Uint8Array(1000).fill(7);

    await storage.write(new Map([["view", buffer.subarray(10, 13)]]));

    const stored = await storage.get("view");
    expect(stored).toEqual(Uint8Array.of(7, 7, 7));
    expect(stored?.buffer.byteLength).toBe(3);
  });

  test("bytes that were read are the reader's own", async () => {
    const storage = await open();
    const written = bytes("old");
    await storage.write(new Map([["note", written]]));

    written.fill(0);
    (await storage.get("note"))?.fill(1);

    expect(await storage.get("note")).toEqual(bytes("old"));
  });

  test("a write that does not fit leaves the old values readable and changes nothing", async () => {
    const storage = await open({ limit: 1024 ** 2 });
    await storage.write(
      new Map([
        ["note", bytes("old")],
        ["kept", bytes("kept")],
      ]),
    );

    const tooBig = storage.write(
      new Map<string, Uint8Array | null>([
        ["kept", null],
        ["note", bytes("new")],
        ["big", randomBytes(8 * 1024 ** 2)],
      ]),
    );

    await expect(tooBig).rejects.toMatchObject({ code: "STORAGE_FULL", name: "StorageFullError" });
    expect(await storage.get("note")).toEqual(bytes("old"));
    expect(await storage.get("kept")).toEqual(bytes("kept"));
    expect(await storage.get("big")).toBeUndefined();
  });

  test("bytes that were transferred away are refused, and nothing of that write is kept", async () => {
    const storage = await open();
    await storage.write(new Map([["note", bytes("old")]]));
    const gone = bytes("gone");
    structuredClone(gone, { transfer: [gone.buffer] });

    const write = storage.write(
      new Map([
        ["note", bytes("new")],
        ["gone", gone],
      ]),
    );

    await expect(write).rejects.toMatchObject({ code: "STORAGE_WRITE", name: "StorageWriteError" });
    expect(await storage.get("note")).toEqual(bytes("old"));
    expect(await storage.get("gone")).toBeUndefined();
  });

  test("a full store takes small writes again after something was deleted", async () => {
    const storage = await open({ limit: 4 * 1024 ** 2 });
    await storage.write(new Map([["big", randomBytes(2 * 1024 ** 2)]]));
    await expect(storage.write(new Map([["more", randomBytes(8 * 1024 ** 2)]]))).rejects.toThrow("Delete artifacts");

    await storage.write(new Map([["big", null]]));
    await storage.write(new Map([["small", bytes("fits")]]));

    expect(await storage.get("small")).toEqual(bytes("fits"));
  });

  test("a closed store says so, and what was issued before it closed is kept", async () => {
    const storage = await open();

    const write = storage.write(new Map([["note", bytes("last")]]));
    const read = storage.get("note");
    storage.close();
    storage.close();

    await write;
    expect(await read).toEqual(bytes("last"));
    await expect(storage.get("note")).rejects.toMatchObject({ code: "STORAGE_CLOSED" });
    await expect(storage.write(new Map([["note", null]]))).rejects.toMatchObject({ code: "STORAGE_CLOSED" });
    await expect(collect(storage.keys(""))).rejects.toMatchObject({ code: "STORAGE_CLOSED" });
  });

  test("20 MB come back whole", async () => {
    const storage = await open();
    const content = randomBytes(20 * 1024 ** 2);

    await storage.write(new Map([["big", content]]));

    const stored = await storage.get("big");
    expect(stored?.byteLength).toBe(content.byteLength);
    expect(await digest(stored!)).toBe(await digest(content));
  });

  test("large bytes are the writer's again once they are written, also for who reads them meanwhile", async () => {
    const storage = await open();
    const content = randomBytes(20_000_000);
    const expected = await digest(content);

    const writing = storage.write(new Map([["big", content]]));
    const reading = storage.get("big");
    await writing;
    content.fill(0);

    expect(await digest((await reading)!)).toBe(expected);
    const read = (await storage.get("big"))!;
    read.fill(0);
    expect(await digest((await storage.get("big"))!)).toBe(expected);
  });

  test("large bytes are replaced by larger, smaller and small ones, in the order of the writes", async () => {
    const storage = await open();
    const contents = [20_000_000, 30_000_000, 9_000_000, 3].map((size) => randomBytes(size));

    const writes = contents.map(async (content, index) => {
      await storage.write(
        new Map([
          ["big", content],
          [`other ${String(index)}`, Uint8Array.of(index)],
        ]),
      );
    });
    // Issued after the last of them.
    const last = await storage.get("big");
    await Promise.all(writes);

    expect(last).toEqual(contents.at(-1));
    for (const content of contents.toReversed()) {
      await storage.write(new Map([["big", content]]));
      expect(await digest((await storage.get("big"))!)).toBe(await digest(content));
    }
    await storage.write(new Map([["big", null]]));
    expect(await storage.get("big")).toBeUndefined();
    expect(await storage.get("other 3")).toEqual(Uint8Array.of(3));
  });

  test("a write happens where everything is as it expects: these bytes, or nothing", async () => {
    const storage = await open();
    await storage.write(new Map([["index", bytes("1")]]));
    const ifUnchanged = new Map([
      ["index", bytes("1")],
      ["other", null],
    ]);

    await storage.write(
      new Map([
        ["index", bytes("2")],
        ["data", bytes("new")],
      ]),
      { ifUnchanged },
    );

    expect(await storage.get("index")).toEqual(bytes("2"));
    expect(await storage.get("data")).toEqual(bytes("new"));
    await storage.write(new Map(), { ifUnchanged: new Map([["data", bytes("new")]]) });
  });

  test.each([
    ["other bytes", "index", bytes("0")],
    ["bytes that go on", "index", bytes("12")],
    ["nothing where there is something", "index", null],
    ["something where there is nothing", "absent", bytes("1")],
    ["empty bytes where there is nothing", "absent", bytes("")],
  ])("a write that expects %s changes nothing, and says which record differs", async (_, key, expected) => {
    const storage = await open();
    await storage.write(new Map([["index", bytes("1")]]));

    const write = storage.write(
      new Map([
        ["data", bytes("new")],
        ["index", null],
      ]),
      { ifUnchanged: new Map([[key, expected]]) },
    );

    const found = key === "index" ? bytes("1") : null;
    await expect(write).rejects.toMatchObject({ code: "STORAGE_CONFLICT", path: key, found });
    await expect(storage.write(new Map(), { ifUnchanged: new Map([[key, expected]]) })).rejects.toMatchObject({
      code: "STORAGE_CONFLICT",
    });
    expect(await storage.get("index")).toEqual(bytes("1"));
    expect(await storage.get("data")).toBeUndefined();
  });

  test("a write is compared with what the writes before it left, and reads after it see what came of it", async () => {
    const storage = await open();
    void storage.write(new Map([["n", bytes("1")]]));

    const second = storage.write(new Map([["n", bytes("2")]]), { ifUnchanged: new Map([["n", bytes("1")]]) });
    const refused = storage.write(new Map([["n", bytes("3")]]), { ifUnchanged: new Map([["n", bytes("1")]]) });
    const read = storage.get("n");
    const keys = collect(storage.keys(""));
    storage.close();

    await expect(refused).rejects.toMatchObject({ code: "STORAGE_CONFLICT", found: bytes("2") });
    await second;
    expect(await read).toEqual(bytes("2"));
    expect(await keys).toEqual(["n"]);
    await expect(storage.get("n")).rejects.toMatchObject({ code: "STORAGE_CLOSED" });
  });

  test("of two tabs that change what both have read, one does and the other changes nothing", async () => {
    const tabs = openTwice();
    const counted = new Map<string, number>();
    const add = async (storage: StorageBackend): Promise<void> => {
      for (let done = false; !done;) {
        const before = (await storage.get("n")) ?? null;
        const next = bytes(String(1 + (before === null ? 0 : Number(new TextDecoder().decode(before)))));
        try {
          await storage.write(new Map([["n", next]]), { ifUnchanged: new Map([["n", before]]) });
          done = true;
        } catch (error) {
          expect(error).toMatchObject({ code: "STORAGE_CONFLICT", path: "n" });
        }
        counted.set(String(done), (counted.get(String(done)) ?? 0) + 1);
      }
    };

    await Promise.all(Array.from({ length: 20 }, (_, index) => add(tabs[index % 2]!)));

    expect(new TextDecoder().decode(await tabs[0].get("n"))).toBe("20");
    expect(counted.get("true")).toBe(20);
    expect(counted.get("false")).toBeGreaterThan(0);
  });

  test("large records are compared too", async () => {
    const storage = await open();
    const content = randomBytes(20_000_000);
    await storage.write(new Map([["big", content]]));
    const other = content.slice();
    other[19_999_999] = 255 - other[19_999_999]!;

    const refused = storage.write(new Map([["big", null]]), { ifUnchanged: new Map([["big", other]]) });

    await expect(refused).rejects.toMatchObject({ code: "STORAGE_CONFLICT" });
    await storage.write(new Map([["big", null]]), { ifUnchanged: new Map([["big", content]]) });
    expect(await storage.get("big")).toBeUndefined();
  });
});

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Random, because a browser may compress what it stores. */
function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(length);
  for (let start = 0; start < length; start += 65_536) {
    crypto.getRandomValues(content.subarray(start, Math.min(length, start + 65_536)));
  }
  return content;
}

async function digest(content: Uint8Array<ArrayBuffer>): Promise<string> {
  return String(new Uint8Array(await crypto.subtle.digest("SHA-256", content)));
}

async function collect(keys: AsyncIterable<string>): Promise<string[]> {
  const collected: string[] = [];
  for await (const key of keys) collected.push(key);
  return collected;
}
