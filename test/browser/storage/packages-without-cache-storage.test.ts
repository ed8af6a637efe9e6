import { afterEach, beforeAll, expect, inject, test } from "vitest";

import type { Session } from "../../../src/index.js";

/** Serves the wheels of test/wheels as a lockfile. */
const server = inject("packageServer");
const lockfile = { lockfile: `${server}/pyodide/pyodide-lock.json` };

let session: Session | undefined;
beforeAll(() => {
  // As on a page of plain HTTP; before anything of the library is loaded.
  Reflect.deleteProperty(globalThis, "caches");
});
afterEach(async () => {
  await session?.close();
  session = undefined;
});

async function open(): Promise<Session> {
  const { memoryStorage, Session } = await import("../../../src/index.js");
  session = await Session.open({ storage: memoryStorage(), packages: [lockfile], deps: ["xxhash"] });
  return session;
}

async function requests(): Promise<readonly string[]> {
  return (await (await fetch(`${server}/requests`)).json()) as string[];
}

test("without Cache Storage files of packages are kept for as long as the page lives, and the session says so", async () => {
  expect("caches" in globalThis).toBe(false);
  const first = await open();
  expect(first.deps.cache.persistent).toBe(false);
  expect((await first.run("import xxhash\nxxhash.xxh64(b'').hexdigest()")).value).toBe("ef46db3751d8e999");
  const kept = [expect.objectContaining({ filename: expect.stringMatching(/^xxhash-/) as string, size: 20_869 })];
  expect(await first.deps.cache.list()).toEqual(kept);
  await first.close();
  await requests();

  const second = await open();

  expect((await second.run("import xxhash\nxxhash.xxh64(b'').hexdigest()")).value).toBe("ef46db3751d8e999");
  expect(await requests()).toEqual(["/pyodide/pyodide-lock.json"]);
  expect(second.deps.cache.persistent).toBe(false);
  await second.deps.cache.clear();
  expect(await second.deps.cache.list()).toEqual([]);
});
