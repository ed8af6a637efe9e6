import { beforeEach, expect, test } from "vitest";

import { listKeys, memoryStorage, StorageReadError, type StorageBackend } from "../../../src/storage/index.js";
import { WriteLog } from "../../../src/write-code/log/write-log.js";
import type { WrittenFile } from "../../../src/write-code/log/written-file.js";
import { bound, bytesOf, file, KEYS } from "./logged-files.js";

let storage: StorageBackend;
const log = (on = storage): WriteLog => new WriteLog(on, { strike: (text) => text });
beforeEach(() => {
  storage = memoryStorage();
});

/** Bytes that were read of a store, and written to it. */
function counted(backend: StorageBackend): { readonly store: StorageBackend; bytes: number } {
  const count = {
    bytes: 0,
    store: {
      ...bound(backend),
      get: async (key: string) => {
        const found = await backend.get(key);
        count.bytes += found?.byteLength ?? 0;
        return found;
      },
      write: (...[entries, options]: Parameters<StorageBackend["write"]>) => {
        for (const bytes of entries.values()) count.bytes += bytes?.byteLength ?? 0;
        return backend.write(entries, options);
      },
    },
  };
  return count;
}

const batchOf = (round: number, length = 3000): readonly WrittenFile[] =>
  Array.from({ length: 5 }, (_each, index) =>
    file(`src/m${String((round * 5 + index) % 400)}.py`, { text: `# ${String(round)}\n`.padEnd(length, "x") }),
  );

test("a long log costs a batch no more than one with little", async () => {
  for (let round = 0; round < 100; round += 1) await log().record(batchOf(round));
  const count = counted(storage);

  for (let round = 100; round < 160; round += 1) await log(count.store).record(batchOf(round));

  // 15,000 characters each time, in two logs of a million.
  expect(count.bytes / 60).toBeLessThan(500_000);
  const times: number[] = [];
  for (let round = 160; round < 180; round += 1) {
    count.bytes = 0;
    await log(count.store).record(batchOf(round));
    times.push(count.bytes);
  }
  expect(times.toSorted((one, other) => one - other)[10]).toBeLessThan(250_000);
});

test("a long log is read for a prompt no further than that goes", async () => {
  for (let round = 0; round < 100; round += 1) await log().record(batchOf(round));
  const count = counted(storage);

  const shown = await log(count.store).promptEntries();

  expect(shown.map(({ path }) => path)).toEqual(
    Array.from({ length: 20 }, (_each, index) => `src/m${String((499 - index) % 400)}.py`),
  );
  expect(shown[0]?.text).toMatch(/^# 99\nx{2990}/);
  expect(count.bytes).toBeLessThan(200_000);
});

test("a long log of large files is put back in small records, which a prompt reads no more of than it takes", async () => {
  const largest = async (): Promise<number> => {
    const keys = [...(await listKeys(storage, "write-code/files/")), ...(await listKeys(storage, "write-code/code/"))];
    const sizes = await Promise.all(keys.map(async (key) => (await storage.get(key))?.byteLength ?? 0));
    return Math.max(0, ...sizes);
  };
  const size = async (): Promise<number> => {
    let sum = 0;
    for (const key of await listKeys(storage, "write-code/")) sum += (await storage.get(key))?.byteLength ?? 0;
    return sum;
  };

  for (let round = 0; round < 9; round += 1) {
    await log().record(batchOf(round, 150_000));
    expect(await largest()).toBeLessThan(160_000);
    // Two logs of a million, the latest records and what was put back since.
    expect(await size()).toBeLessThan(5_500_000);
  }
  const count = counted(storage);
  const shown = await log(count.store).promptEntries({ entries: 7 });

  expect(shown.map(({ path }) => path)).toEqual(
    Array.from({ length: 7 }, (_each, index) => `src/m${String(44 - index)}.py`),
  );
  expect(count.bytes).toBeLessThan(1_100_000);
  expect((await log().files()).size).toBe(45);
  expect(await log().entries()).toHaveLength(45);
});

test("a long log has what it had when it lay in one record", async () => {
  const written: WrittenFile[] = [];
  for (let round = 0; round < 80; round += 1) {
    const batch = Array.from({ length: 1 + (round % 5) }, (_each, index) =>
      file(`m${String((round * 7 + index) % 40)}.py`, { text: `${String(round)}\n`.padEnd(9000 + round * 100, "é") }),
    );
    written.push(...batch);
    await log().record(batch);
  }

  const files = await log().files();
  const latest = new Map(written.map((each) => [each.path, each.text]));
  const order = [...new Set(written.map(({ path }) => path).toReversed())].toReversed();
  expect([...files.keys()]).toEqual(order);
  for (const [path, { content, operations }] of files) {
    expect(content).toBe(latest.get(path));
    expect(operations).toHaveLength(written.filter((each) => each.path === path).length);
  }
  const entries = await log().entries();
  expect(entries.map(({ path }) => path)).toEqual(written.map(({ path }) => path));
  let room = 1_000_000;
  const codes = written.toReversed().map(({ text }) => ((room -= text?.length ?? 0) < 0 ? "" : text));
  expect(entries.map(({ code }) => code)).toEqual(codes.toReversed());
});

test("a long log of a store from before it lay in several is read on", async () => {
  const about = { metadata: { code_description: "Old" }, extension: ".py", is_image: false, mime_type: null };
  const timestamp = "2026-01-01 00:00:00";
  const old = Array.from({ length: 90 }, (_each, index) => ({
    path: `old${String(index)}.py`,
    code: "o".repeat(10_000),
  }));
  const files = Object.fromEntries(
    old.map(({ path, code }) => {
      const operations = [{ timestamp, operation: "create" }];
      return [path, { ...about, operations, content: code, last_updated: timestamp }];
    }),
  );
  const entries = old.map((entry) => ({ ...entry, timestamp, operation: "create", model: "older" }));
  await storage.write(
    new Map([
      [KEYS.files, bytesOf(JSON.stringify({ files }))],
      [KEYS.code, bytesOf(JSON.stringify({ entries }))],
      ["write-code/head", bytesOf("0123")],
    ]),
  );

  expect((await log().files()).size).toBe(90);
  expect((await log().promptEntries())[0]).toMatchObject({ path: "old89.py", description: "Old" });
  for (let round = 0; round < 20; round += 1) {
    expect(await log().record([file("old3.py", { operation: "modify", text: "n".repeat(3000) })])).toEqual([]);
  }

  const now = await log().files();
  expect([...now.keys()].slice(-2)).toEqual(["old89.py", "old3.py"]);
  expect(now.get("old3.py")).toMatchObject({ content: "n".repeat(3000), operations: { length: 21 } });
  expect(now.get("old0.py")).toEqual(files["old0.py"]);
  const kept = await log().entries();
  expect(kept).toHaveLength(110);
  expect(kept.slice(0, 90)).toEqual(entries);
});

test("a long log loses of damaged records nothing but what they held, and says so (W71)", async () => {
  const warnings: string[] = [];
  const one = async (round: number): Promise<void> => {
    warnings.push(...(await log().record([file(`f${String(round)}.py`, { text: "x".repeat(40_000) })])));
  };
  for (let round = 0; round < 4; round += 1) await one(round);
  const [first = "", second = ""] = await listKeys(storage, "write-code/code/");
  const [, ofFiles = ""] = await listKeys(storage, "write-code/files/");
  await storage.write(new Map([first, second, ofFiles].map((key) => [key, bytesOf("{")])));

  expect((await log().entries()).map(({ path }) => path)).toEqual(["f2.py", "f3.py"]);
  expect([...(await log().files()).keys()]).toEqual(["f0.py", "f2.py", "f3.py"]);
  for (let round = 4; round < 20; round += 1) await one(round);

  expect(warnings).toHaveLength(3);
  for (const key of [first, second, ofFiles]) expect(warnings.join("\n")).toContain(`The log ${key} could not be read`);
  const aside = await listKeys(storage, "write-code/damaged/");
  expect(aside).toHaveLength(3);
  for (const key of aside) expect(await storage.get(key)).toEqual(bytesOf("{"));
  expect(await log().entries()).toHaveLength(18);
  expect((await log().files()).size).toBe(19);
});

/** A store that cannot read older records of the logs for now, or some of them. */
const unreadable = (isOne: (key: string) => boolean = () => true): StorageBackend => ({
  ...bound(storage),
  get: (key) =>
    /^write-code\/(files|code)\//.test(key) && isOne(key)
      ? Promise.reject(new StorageReadError(key, "a disk failed"))
      : storage.get(key),
});

test("a long log keeps older records that cannot be read for now", async () => {
  const one = (round: number, on = storage): Promise<readonly string[]> =>
    log(on).record([file(`f${String(round)}.py`, { text: "x".repeat(40_000) })]);
  for (let round = 0; round < 9; round += 1) await one(round);

  for (let round = 9; round < 12; round += 1) expect(await one(round, unreadable())).toEqual([]);
  expect((await log().files()).size).toBe(12);
  for (let round = 12; round < 14; round += 1) expect(await one(round)).toEqual([]);

  expect([...(await log().files()).keys()]).toEqual(Array.from({ length: 14 }, (_each, at) => `f${String(at)}.py`));
  expect(await log().entries()).toHaveLength(14);
  // They were brought together then.
  expect((await listKeys(storage, "write-code/files/"))[0]).toBe("write-code/files/1-000001.json");
});

test("a long log gives up an older record only that could not be read over and over, and says so", async () => {
  const warnings: string[] = [];
  const isLost = (key: string): boolean => key === "write-code/files/2-000003.json";
  for (let round = 0; round < 60; round += 1) {
    const text = "x".repeat(40_000);
    warnings.push(...(await log(unreadable(isLost)).record([file(`f${String(round)}.py`, { text })])));
    if (round === 20) expect(warnings).toEqual([]);
  }

  expect(warnings).toEqual([expect.stringMatching(/2-000003\.json could not be read .* Nothing of it could be kept/)]);
  expect((await log().files()).size).toBe(59);
});

test("a long log is read whole while another page puts a record of it back", async () => {
  await log().record([file("a.py", { text: "x".repeat(40_000) })]);
  let isWritten = false;
  const meanwhile: StorageBackend = {
    ...bound(storage),
    get: async (key) => {
      if (key !== KEYS.files || isWritten) return storage.get(key);
      isWritten = true;
      // What lies behind was listed before.
      await log().record([file("b.py", { text: "x".repeat(40_000) })]);
      return storage.get(key);
    },
  };

  expect([...(await log(meanwhile).files()).keys()]).toEqual(["a.py", "b.py"]);
  isWritten = false;
  expect((await log(meanwhile).promptEntries()).map(({ path }) => path)).toEqual(["b.py", "a.py"]);
});

test("a long log is read whole where another page puts a record back before its latest one is read", async () => {
  await log().record([file("a.py", { text: "x".repeat(40_000) })]);
  let putBack: Promise<unknown> | undefined;
  const late: StorageBackend = {
    ...bound(storage),
    get: async (key) => {
      // As where the keys are listed in one transaction and these are read in a later one.
      await (putBack ??= log().record([file("b.py", { text: "x".repeat(40_000) })]));
      return storage.get(key);
    },
  };

  expect([...(await log(late).files()).keys()]).toEqual(["a.py", "b.py"]);
});

test("a long log that several pages write to at once has all of it", async () => {
  const logs = Array.from({ length: 3 }, () => log());

  const warnings: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    const all = logs.map((each, index) =>
      each.record([file(`${String(index)}/${String(round)}.py`, { text: "x".repeat(20_000) })]),
    );
    warnings.push(...(await Promise.all(all)).flat());
  }

  expect(warnings).toEqual([]);
  expect((await log().files()).size).toBe(36);
  expect(new Set((await log().entries()).map(({ path }) => path)).size).toBe(36);
  expect(await log().entries()).toHaveLength(36);
});
