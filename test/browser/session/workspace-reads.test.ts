import { afterEach, beforeEach, expect, test } from "vitest";

import { indexedDBStorage, Session, type StorageBackend } from "../../../src/index.js";

const FILES = 1000;

let name: string;
let session: Session;
let read: string[];

/** Notes the keys that are read. */
function noting(below: StorageBackend): StorageBackend {
  return {
    get: (key) => {
      read.push(key);
      return below.get(key);
    },
    write: (entries, options) => below.write(entries, options),
    keys: (prefix) => below.keys(prefix),
    close: () => {
      below.close();
    },
  };
}

/** The records of files that `work` has read. */
async function readsOf(work: () => Promise<unknown>): Promise<string[]> {
  read = [];
  await work();
  return read.filter((key) => key.startsWith("workspace/index/")).map((key) => key.replace("workspace/index/", ""));
}

beforeEach(async () => {
  read = [];
  name = `workspace-reads-${crypto.randomUUID()}`;
  session = await Session.open({ storage: noting(indexedDBStorage(name)), timeout: null });
  const { error } = await session.run(
    `for number in range(${String(FILES)}):\n    with open(f"{number:04}.txt", "w") as file:\n        file.write("x")`,
  );
  expect(error).toBeNull();
});

afterEach(async () => {
  await session.close();
  indexedDB.deleteDatabase(name);
});

test("a file of many is written without reading the records of the others", async () => {
  const reads = await readsOf(async () => {
    for (const path of ["a.txt", "b/c.txt", "0005.txt", "a.txt"]) await session.workspace.write(path, "y");
  });

  // Those that are replaced, for somebody else may have written them.
  expect(reads).toEqual(["0005.txt", "a.txt"]);
  const files = await session.workspace.list();
  expect(files).toHaveLength(FILES + 2);
  expect(files.filter(({ path }) => ["a.txt", "b/c.txt"].includes(path)).map(({ size }) => size)).toEqual([1, 1]);
});

test("of what others write beside it the new records are read, and no more", async () => {
  const other = await Session.open({ storage: indexedDBStorage(name) });
  for (const path of ["d.txt", "e.txt"]) await other.workspace.write(path, "z");
  await other.workspace.delete("0001.txt");
  await other.close();

  const reads = await readsOf(async () => {
    await session.workspace.write("a.txt", "y");
    await session.workspace.write("b.txt", "y");
  });

  expect(reads).toEqual(["d.txt", "e.txt"]);
  await expect(session.workspace.write("d.txt/inside.txt", "y")).rejects.toMatchObject({ code: "WORKSPACE_PATH" });
  await expect(session.workspace.write("0001.txt/inside.txt", "y")).resolves.toMatchObject({ size: 1 });
});

test("before a run all records are read, for another tab may have changed any", async () => {
  const other = await Session.open({ storage: indexedDBStorage(name) });
  await other.workspace.write("0002.txt", "changed");
  await other.close();

  const reads = await readsOf(async () => {
    expect((await session.run("open('0002.txt').read()")).value).toBe("changed");
  });

  expect(new Set(reads).size).toBe(FILES);
});

test("after a run that changed one file of many the records of the others are not read again", async () => {
  const unchanged = await readsOf(() => session.run("1 + 1"));
  const changed = await readsOf(() => session.run("open('0003.txt', 'w').write('new')"));

  // Its own record is read twice: for the limits, and as the one that the write must find unchanged.
  expect(changed.slice(unchanged.length)).toEqual(["0003.txt", "0003.txt"]);
});
