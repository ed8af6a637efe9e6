import { afterEach, expect, test } from "vitest";

import { indexedDBStorage, type StorageBackend } from "../../../src/storage/index.js";
import { WriteLog } from "../../../src/write-code/log/write-log.js";
import type { WrittenFile } from "../../../src/write-code/log/written-file.js";

const name = `write-log-${crypto.randomUUID()}`;
const opened: StorageBackend[] = [];
afterEach(() => {
  for (const storage of opened.splice(0)) storage.close();
  indexedDB.deleteDatabase(name);
});

/** A log as another tab would have it: with a connection of its own. */
function log(): WriteLog {
  const storage = indexedDBStorage(name);
  opened.push(storage);
  return new WriteLog(storage, { strike: (text) => text });
}

const file = (path: string, text: string): WrittenFile => ({
  ...{ path, text, operation: "create", description: "", model: "large" },
});

test("tabs that write at once lose nothing of each other's log", async () => {
  const [first, second, third] = [log(), log(), log()];

  const warnings = await Promise.all([
    first.record([file("a.py", "a"), file("b.py", "b")]),
    second.record([file("c.py", "c")]),
    third.record([file("d.py", "d")]),
    second.record([file("a.py", "aa")]),
  ]);

  expect(warnings.flat()).toEqual([]);
  expect([...(await log().files()).keys()].toSorted()).toEqual(["a.py", "b.py", "c.py", "d.py"]);
  expect(await log().entries()).toHaveLength(5);
});

test("tabs that write much at once lose nothing of each other's log", async () => {
  const logs = [log(), log(), log()];

  for (let round = 0; round < 12; round += 1) {
    const all = logs.map((each, index) =>
      each.record([file(`${String(index)}/${String(round)}.py`, "x".repeat(20_000))]),
    );
    expect((await Promise.all(all)).flat()).toEqual([]);
  }

  expect((await log().files()).size).toBe(36);
  expect(await log().entries()).toHaveLength(36);
  expect((await log().promptEntries()).map(({ path }) => path)).toHaveLength(20);
});

test("a log is there for a later page, with what a prompt has of it", async () => {
  await log().record([file("a.py", "x = 1\n".repeat(30_000))]);

  const [entry] = await log().promptEntries({ characters: 100 });

  expect(entry).toMatchObject({ path: "a.py", operation: "create" });
  expect(entry?.text).toBe(`${"x = 1\n".repeat(30_000).slice(0, 100)}\n[…]\n`);
});
