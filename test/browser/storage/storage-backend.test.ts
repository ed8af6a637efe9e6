import { afterEach, describe, expect, test } from "vitest";

import { indexedDBStorage, memoryStorage, type StorageBackend } from "../../../src/storage/index.js";
import { freshName } from "./fresh-name.js";
import { setQuota } from "./site-data.js";

interface Kind {
  readonly name: string;
  /** `limit`: bytes of room, for a store that is meant to run full. */
  readonly open: (options?: { limit: number }) => Promise<StorageBackend>;
}

const kinds: Kind[] = [
  { name: "memory", open: (options) => Promise.resolve(memoryStorage(options)) },
  {
    name: "IndexedDB",
    open: async (options) => {
      limited = options !== undefined;
      if (options !== undefined) await setQuota(options.limit);
      return indexedDBStorage(freshName());
    },
  },
];

let limited = false;

afterEach(async () => {
  if (limited) await setQuota(null);
  limited = false;
});

describe.each(kinds)("$name storage", ({ open }) => {
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
