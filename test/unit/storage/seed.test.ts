import { describe, expect, test } from "vitest";

import {
  encodeText,
  decodeText,
  listKeys,
  memoryStorage,
  seedStorage,
  type StorageBackend,
} from "../../../src/storage/index.js";

const curl = { file: "tools/curl.yaml", text: "name: curl" };
const clean = { file: "skills/clean.py", text: "def run(): ..." };

describe("seeding", () => {
  test("a fresh storage gets every file under its own path", async () => {
    const storage = memoryStorage();

    expect(await seedStorage(storage, [curl, clean])).toEqual(["tools/curl.yaml", "skills/clean.py"]);

    expect(await text(storage, "tools/curl.yaml")).toBe("name: curl");
    expect(await listKeys(storage, "")).toEqual(["seeded", "skills/clean.py", "tools/curl.yaml"]);
  });

  test("a second visit writes nothing", async () => {
    const storage = memoryStorage();
    await seedStorage(storage, [curl, clean]);

    expect(await seedStorage(storage, [curl, clean])).toEqual([]);
  });

  test("what a person changed or deleted stays so, and a file that is new on the site is added", async () => {
    const storage = memoryStorage();
    await seedStorage(storage, [curl, clean]);
    await storage.write(
      new Map([
        ["tools/curl.yaml", encodeText("mine")],
        [clean.file, null],
      ]),
    );

    const added = { file: "tools/new.yaml", text: "name: new" };
    const written = await seedStorage(storage, [{ ...curl, text: "name: curl2" }, { ...clean, text: "new" }, added]);

    expect(written).toEqual(["tools/new.yaml"]);
    expect(await text(storage, "tools/curl.yaml")).toBe("mine");
    expect(await text(storage, clean.file)).toBeUndefined();
  });

  test("a file that nobody touched follows the site, time and again", async () => {
    const storage = memoryStorage();
    for (const version of ["1", "2", "3"]) {
      await seedStorage(storage, [{ ...curl, text: version }]);
      expect(await text(storage, curl.file)).toBe(version);
    }
  });

  test("a file of that name that was there before stays", async () => {
    const storage = memoryStorage();
    await storage.write(new Map([[curl.file, encodeText("mine")]]));

    await seedStorage(storage, [curl]);

    expect(await text(storage, curl.file)).toBe("mine");
  });

  test("without a readable record of what was seeded, nothing that is there is overwritten", async () => {
    const storage = memoryStorage();
    await seedStorage(storage, [curl]);
    await storage.write(new Map([["seeded", encodeText("damaged")]]));

    expect(await seedStorage(storage, [{ ...curl, text: "new" }, clean])).toEqual([clean.file]);
    expect(await text(storage, curl.file)).toBe("name: curl");
  });
});

async function text(storage: StorageBackend, key: string): Promise<string | null | undefined> {
  const bytes = await storage.get(key);
  return bytes === undefined ? undefined : decodeText(bytes);
}
