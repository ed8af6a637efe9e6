import { describe, expect, test, vi } from "vitest";

import { indexedDBStorage, listKeys } from "../../../src/storage/index.js";
import { untilShown } from "../../timeouts.mjs";
import { freshName } from "./fresh-name.js";
import { runInOpaqueFrame } from "./opaque-frame.js";
import { clearSiteData } from "./site-data.js";

describe("IndexedDB storage", () => {
  test("keeps everything for the next page that opens it", async () => {
    const name = freshName();
    const first = indexedDBStorage(name);
    await first.write(new Map([["note", bytes("text")]]));
    first.close();

    expect(await indexedDBStorage(name).get("note")).toEqual(bytes("text"));
  });

  test("large bytes are kept in pieces, none of which outlives them or is listed", async () => {
    const name = freshName();
    const storage = indexedDBStorage(name);
    const large = new Uint8Array(20_000_000).fill(1);
    const keysWith = async (content: Uint8Array | null): Promise<unknown[]> => {
      await storage.write(new Map([["a", content]]));
      const database = await finished(indexedDB.open(name));
      const keys = await finished(database.transaction("records").objectStore("records").getAllKeys());
      database.close();
      return keys.filter((key) => typeof key !== "number");
    };

    const pieces = [
      ["a", 0],
      ["a", 1],
      ["a", 2],
    ];
    expect(await keysWith(large)).toEqual(["a", ...pieces]);
    expect(await listKeys(storage, "")).toEqual(["a"]);
    expect(await keysWith(large.subarray(0, 9_000_000))).toEqual(["a", ...pieces.slice(0, 2)]);
    expect(await keysWith(Uint8Array.of(1))).toEqual(["a"]);
    expect(await keysWith(large)).toEqual(["a", ...pieces]);
    expect(await keysWith(null)).toEqual([]);
  });

  test("two tabs on one database see each other's writes", async () => {
    const name = freshName();
    const [one, two] = [indexedDBStorage(name), indexedDBStorage(name)];

    await Promise.all([one.write(new Map([["a", bytes("1")]])), two.write(new Map([["b", bytes("2")]]))]);

    expect(await one.get("b")).toEqual(bytes("2"));
    expect(await two.get("a")).toEqual(bytes("1"));
  });

  test("a tab that dies in the middle of a write leaves all of it or nothing", async () => {
    const name = freshName();
    const worker = new Worker(new URL("./writer.worker.ts", import.meta.url), { type: "module" });
    const started = new Promise<void>((resolve) => {
      worker.addEventListener("message", (event: MessageEvent<number>) => {
        if (event.data >= 3) resolve();
      });
    });
    worker.postMessage(name);
    await started;

    worker.terminate();

    const storage = indexedDBStorage(name);
    const keys = await listKeys(storage, "item/");
    const generations = await Promise.all(keys.map(async (key) => new TextDecoder().decode(await storage.get(key))));
    expect(keys).toHaveLength(1000);
    expect(new Set(generations).size).toBe(1);
    expect(Number(generations[0])).toBeGreaterThanOrEqual(2);
  });

  test("a deletion by another tab goes through, and the store says that its data are gone", async () => {
    const name = freshName();
    const storage = indexedDBStorage(name);
    await storage.write(new Map([["note", bytes("text")]]));

    await finished(indexedDB.deleteDatabase(name));

    const read = storage.get("note");
    await expect(read).rejects.toMatchObject({ code: "STORAGE_BLOCKED", name: "StorageBlockedError" });
    await expect(read).rejects.toThrow("was deleted while it was in use");
    await expect(storage.write(new Map([["note", bytes("new")]]))).rejects.toThrow("Reload the page");
  });

  test("when the browser clears the site's data, the store says that its data are gone", async () => {
    const storage = indexedDBStorage(freshName());
    await storage.write(new Map([["note", bytes("text")]]));

    await clearSiteData();

    // Each connection hears of it by itself, in no order.
    await vi.waitFor(() => expect(storage.get("note")).rejects.toThrow("was deleted while it was in use"), untilShown);
    await expect(storage.write(new Map([["note", bytes("new")]]))).rejects.toMatchObject({ code: "STORAGE_BLOCKED" });
  });

  test("an upgrade by another tab is not held up, and the store goes on afterwards", async () => {
    const name = freshName();
    const storage = indexedDBStorage(name);
    await storage.write(new Map([["note", bytes("text")]]));

    const upgraded = await finished(indexedDB.open(name, 7));
    upgraded.close();

    expect(await storage.get("note")).toEqual(bytes("text"));
  });

  test("a newer release in another tab that changes what records mean is noticed, and nothing is written over", async () => {
    const name = freshName();
    const older = indexedDBStorage(name);
    await older.write(new Map([["note", bytes("old form")]]));
    const newer = indexedDB.open(name, 7);
    newer.addEventListener("upgradeneeded", () => {
      const records = newer.transaction?.objectStore("records");
      records?.put(2, 1);
      records?.put(bytes("new form"), "note");
    });
    const database = await finished(newer);

    await expect(older.get("note")).rejects.toMatchObject({ code: "STORAGE_FORMAT", format: 2 });
    await expect(older.write(new Map([["note", bytes("old form")]]))).rejects.toThrow("Reload the page");

    const records = database.transaction("records").objectStore("records");
    expect(await finished(records.get("note"))).toEqual(bytes("new form"));
    database.close();
  });

  test("a database that another tab does not let go is reported with what to do, not waited for", async () => {
    const name = freshName();
    const holder = await finished(indexedDB.open(name, 1));
    // The holder does not listen for `versionchange`, as a page with an old release may not.
    const deletion = indexedDB.deleteDatabase(name);
    await new Promise((resolve) => {
      deletion.addEventListener("blocked", resolve);
    });

    const read = indexedDBStorage(name, { openTimeout: 200 }).get("note");

    await expect(read).rejects.toMatchObject({ code: "STORAGE_BLOCKED" });
    await expect(read).rejects.toThrow("close the other tabs of this site");
    holder.close();
    await finished(deletion);
  });

  test("a database of somebody else is refused and left as it is", async () => {
    const name = freshName();
    const foreign = indexedDB.open(name, 1);
    foreign.addEventListener("upgradeneeded", () => {
      foreign.result.createObjectStore("theirs").put("their value", "key");
    });
    (await finished(foreign)).close();

    const read = indexedDBStorage(name).get("note");

    await expect(read).rejects.toMatchObject({ code: "STORAGE_BLOCKED" });
    await expect(read).rejects.toThrow("belongs to something else");
    const database = await finished(indexedDB.open(name));
    expect([...database.objectStoreNames]).toEqual(["theirs"]);
    database.close();
  });

  test("where the browser forbids IndexedDB, the error says so and what to do", async () => {
    const failure = await runInOpaqueFrame(
      new URL("../../../src/storage/indexed-db.ts", import.meta.url),
      `try {
        await subject.indexedDBStorage("x").get("note");
      } catch ({ code, message }) {
        return { code, message };
      }`,
    );

    expect(failure).toMatchObject({
      code: "STORAGE_BLOCKED",
      message: expect.stringMatching(/does not let this page use IndexedDB .* kept in memory only/),
    });
  });

  test("a record that holds no bytes is an error of its own, and the others are read", async () => {
    const name = freshName();
    const storage = indexedDBStorage(name);
    await storage.write(new Map([["good", bytes("text")]]));
    const database = await finished(indexedDB.open(name));
    const transaction = database.transaction("records", "readwrite");
    transaction.objectStore("records").put({ not: "bytes" }, "bad");
    await new Promise((resolve) => {
      transaction.addEventListener("complete", resolve);
    });
    database.close();

    const more = new Map(Array.from({ length: 50 }, (_, index) => [`good/${String(index)}`, bytes("more")]));
    await storage.write(more);
    const asked = ["good", "bad", ...more.keys()].map((key) => storage.get(key));
    const [good, bad, ...others] = await Promise.allSettled(asked);

    expect(others.every(({ status }) => status === "fulfilled")).toBe(true);
    expect(good).toMatchObject({ status: "fulfilled", value: bytes("text") });
    expect(bad).toMatchObject({ status: "rejected", reason: { code: "STORAGE_READ", path: "bad" } });
  });

  test("many records that are asked for at once are each read, whatever lies between and among them", async () => {
    const storage = indexedDBStorage(freshName());
    const keys = Array.from({ length: 120 }, (_, index) => `list/${String(index)}`);
    const entries = new Map(keys.map((key) => [key, bytes(key)]));
    await storage.write(new Map([...entries, ["list/7", new Uint8Array(9_000_000).fill(7)]]));
    const read = (wanted: readonly string[]): Promise<(Uint8Array | undefined)[]> =>
      Promise.all(wanted.map((key) => storage.get(key)));

    const all = await read(keys);

    expect(all.map((each) => each?.byteLength)).toEqual(keys.map((key) => (key === "list/7" ? 9_000_000 : key.length)));
    expect(all[7]?.every((byte) => byte === 7)).toBe(true);
    expect(all[42]).toEqual(bytes("list/42"));
    // Some are between them that nobody asked for, and in another order than they lie.
    const others = keys.filter((_, index) => index % 2 === 1).reverse();
    expect((await read(others)).slice(0, 2)).toEqual(others.slice(0, 2).map(bytes));
    // Bytes of its own for each who asks: the first may give them away.
    const twice = await read(["list/1", ...keys]);
    expect(twice[0]).toEqual(twice[2]);
    expect(new Set(twice.map((each) => each?.buffer)).size).toBe(121);
    await storage.write(new Map([["list/50", null]]));
    const rest = await read(keys);
    expect(rest[50]).toBeUndefined();
    expect(rest[51]).toEqual(bytes("list/51"));
  });

  test("what is read upon an answer is read in its transaction, and what was written in between is seen", async () => {
    const storage = indexedDBStorage(freshName());
    await storage.write(
      new Map([
        ["a", bytes("b")],
        ["b", bytes("c")],
        ["c", bytes("end")],
      ]),
    );
    const begun = vi.spyOn(IDBDatabase.prototype, "transaction");
    const next = async (key: string): Promise<string> => new TextDecoder().decode(await storage.get(key));

    expect(await listKeys(storage, await next(await next("a")))).toEqual(["c"]);
    expect(begun).toHaveBeenCalledOnce();

    const first = await next("a");
    const written = storage.write(new Map([["b", bytes("d")]]));
    expect(await next(first)).toBe("d");
    await written;

    begun.mockClear();
    for (let read = 0; read < 300; read += 1) await next("a");
    expect(begun.mock.calls.length).toBeGreaterThan(1);
    begun.mockRestore();
  });

  test("a connection that the browser closed is opened again", async () => {
    const name = freshName();
    const open = vi.spyOn(indexedDB, "open");
    const storage = indexedDBStorage(name);
    await storage.write(new Map([["note", bytes("text")]]));
    const requests = open.mock.results.map((result): unknown => result.value);
    open.mockRestore();

    // What Safari does to a page in the background.
    for (const request of requests) if (request instanceof IDBOpenDBRequest) request.result.close();

    expect(requests).toHaveLength(1);
    expect(await storage.get("note")).toEqual(bytes("text"));
    await storage.write(new Map([["note", bytes("new")]]));
    expect(await storage.get("note")).toEqual(bytes("new"));
  });
});

function finished<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => {
      resolve(request.result);
    });
    request.addEventListener("error", () => {
      reject(request.error ?? new Error("no error given"));
    });
  });
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
