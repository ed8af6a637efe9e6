import { beforeEach, describe, expect, test } from "vitest";

import { memoryStorage, StorageFullError, StorageReadError, type StorageBackend } from "../../../src/storage/index.js";
import { listKeys } from "../../../src/storage/index.js";
import { WriteLog } from "../../../src/write-code/log/write-log.js";
import { bound, bytesOf, file, KEYS } from "./logged-files.js";

let storage: StorageBackend;
let seconds = 0;
const clock = (): Date => new Date(2026, 10, 28, 9, 5, (seconds += 1));
const log = (on = storage): WriteLog =>
  new WriteLog(on, { strike: (text) => text.replaceAll("hunter2", "[secret]"), now: clock });
beforeEach(() => {
  storage = memoryStorage();
  seconds = 0;
});

const stored = async (key: string): Promise<unknown> => JSON.parse(new TextDecoder().decode(await storage.get(key)));

describe("the file log", () => {
  test("after two writes has two operations, the latest content and the description (W68, W89)", async () => {
    await log().record([file("pkg/a.py")]);
    await log().record([file("pkg/a.py", { operation: "modify", text: "x = 2\n", description: "Again" })]);

    expect(await stored(KEYS.files)).toEqual({
      files: {
        "pkg/a.py": {
          operations: [
            { timestamp: "2026-11-28 09:05:01", operation: "create" },
            { timestamp: "2026-11-28 09:05:02", operation: "modify" },
          ],
          metadata: { code_description: "Again" },
          content: "x = 2\n",
          extension: ".py",
          is_image: false,
          mime_type: "text/x-python",
          last_updated: "2026-11-28 09:05:02",
        },
      },
    });
  });

  test("has of an image everything but its bytes, and of a strange name what can be said", async () => {
    await log().record([file("img/LOGO.PNG", { text: null, mime: "image/png" }), file(".env"), file("Makefile")]);

    const files = await log().files();

    expect(files.get("img/LOGO.PNG")).toMatchObject({
      ...{ content: "", extension: ".PNG", is_image: true, mime_type: "image/png" },
    });
    expect(files.get(".env")).toMatchObject({ extension: "", mime_type: null, content: "# .env\n" });
    expect(files.get("Makefile")).toMatchObject({ extension: "", is_image: false });
  });

  test("is bounded: of the oldest files the content goes first, then they themselves", async () => {
    for (let round = 0; round < 12; round += 1) {
      await log().record([file(`a${String(round)}.txt`, { text: "x".repeat(150_000) })]);
    }
    let files = await log().files();
    expect([...files.values()].map(({ content }) => content.length > 0)).toEqual([
      ...Array.from({ length: 6 }, () => false),
      ...Array.from({ length: 6 }, () => true),
    ]);

    await log().record([file("long.txt", { text: "y".repeat(300_000) })]);
    await log().record(Array.from({ length: 999 }, (_each, index) => file(`b${String(index)}`)));

    files = await log().files();
    expect(files.size).toBe(1000);
    expect([...files.keys()].slice(0, 2)).toEqual(["long.txt", "b0"]);
    expect(files.get("long.txt")?.content).toMatch(/^y{200000}\n\[…\]\n$/);
  });

  test("of a file that is written over and over has the latest operations", async () => {
    for (let round = 0; round < 60; round += 1) await log().record([file("a.py")]);

    const operations = (await log().files()).get("a.py")?.operations;

    expect(operations).toHaveLength(50);
    expect(operations?.at(-1)?.timestamp).toBe("2026-11-28 09:06:00");
  });
});

describe("the code log", () => {
  test("has an entry for each time that a file was written, with its model and time (W70)", async () => {
    await log().record([file("a.py"), file("b.png", { text: null, model: "painter" })]);
    await log().record([file("a.py", { operation: "modify", text: "x\n", model: "small" })]);

    expect(await log().entries()).toEqual([
      { path: "a.py", timestamp: "2026-11-28 09:05:01", operation: "create", model: "large", code: "# a.py\n" },
      { path: "b.png", timestamp: "2026-11-28 09:05:01", operation: "create", model: "painter", code: "" },
      { path: "a.py", timestamp: "2026-11-28 09:05:02", operation: "modify", model: "small", code: "x\n" },
    ]);
  });

  test("is bounded", async () => {
    await log().record([file("old.py", { text: "x".repeat(200_000) })]);
    await log().record(Array.from({ length: 9 }, (_each, index) => file(String(index), { text: "y".repeat(150_000) })));
    expect((await log().entries()).map(({ code }) => code.length)).toEqual([
      0,
      0,
      0,
      0,
      ...Array.from({ length: 6 }, () => 150_000),
    ]);

    await log().record(Array.from({ length: 1000 }, (_each, index) => file(`n${String(index)}`)));

    const entries = await log().entries();
    expect([entries.length, entries[0]?.path]).toEqual([1000, "n0"]);
  });
});

describe("what a prompt has of the log", () => {
  test("is the files that were written last, the newest first, capped, and no images (W58)", async () => {
    await log().record([file("old.py", { text: "o".repeat(30) }), file("logo.png", { text: null })]);
    await log().record([file("new.py", { text: "n".repeat(30), operation: "modify" })]);

    expect(await log().promptEntries({ characters: 40 })).toEqual([
      {
        ...{ path: "new.py", timestamp: "2026-11-28 09:05:02", operation: "modify" },
        ...{ description: "What new.py is for", text: "n".repeat(30) },
      },
      expect.objectContaining({ path: "logo.png", text: "" }),
      expect.objectContaining({ path: "old.py", text: `${"o".repeat(10)}\n[…]\n` }),
    ]);
    expect(await log().promptEntries({ entries: 1 })).toHaveLength(1);
    expect(await log(memoryStorage()).promptEntries()).toEqual([]);
  });
});

describe("a log that fails", () => {
  test.each([
    ["no JSON", bytesOf("{"), /it is not JSON/],
    ["no UTF-8", Uint8Array.of(0xff, 0xfe), /it is not JSON/],
    ["another form", bytesOf('{"files": {"a.py": {"operations": 1}}}'), /files\.a\.py\.operations/],
  ])("because it is %s is set aside and begun again (W71)", async (_what, damaged, says) => {
    await log().record([file("a.py")]);
    await storage.write(new Map([[KEYS.files, damaged]]));

    expect(await log().files()).toEqual(new Map());
    const warnings = await log().record([file("b.py")]);

    expect(warnings).toEqual([expect.stringMatching(says)]);
    expect([...(await log().files()).keys()]).toEqual(["b.py"]);
    expect(await log().entries()).toHaveLength(2);
    const [aside = ""] = await listKeys(storage, "write-code/damaged/");
    expect(warnings[0]).toContain(`It was set aside as ${aside}`);
    expect(await storage.get(aside)).toEqual(Uint8Array.from(damaged));
    expect(await log().record([file("c.py")])).toEqual([]);
  });

  test("over and over keeps the damaged ones that came last", async () => {
    for (let round = 0; round < 4; round += 1) {
      await storage.write(
        new Map([
          [KEYS.files, bytesOf("{")],
          [KEYS.code, bytesOf(`[${String(round)}`)],
        ]),
      );
      await log().record([file("a.py")]);
    }

    const kept = await listKeys(storage, "write-code/damaged/");

    expect(kept).toHaveLength(4);
    const texts = await Promise.all(kept.map(async (key) => new TextDecoder().decode(await storage.get(key))));
    expect(texts.toSorted()).toEqual(["[2", "[3", "{", "{"]);
  });

  test("in many records at once keeps the last of them, and says which were dropped", async () => {
    const write = (round: number): Promise<readonly string[]> =>
      log().record([file(`f${String(round)}.py`, { text: "x".repeat(40_000) })]);
    for (let round = 0; round < 9; round += 1) await write(round);
    const keys = await listKeys(storage, "write-code/files/");
    const damaged = keys.map((key, index): [string, Uint8Array] => [key, bytesOf(`[${String(index)}`)]);
    await storage.write(new Map(damaged));

    const warnings = await write(9);

    expect(keys).toHaveLength(8);
    expect(warnings).toHaveLength(8);
    for (const [index, key] of keys.entries()) {
      expect(warnings[index]).toContain(`The log ${key} could not be read`);
      expect(warnings[index]).toContain(index < 4 ? "It was dropped" : "It was set aside as");
    }
    const kept = await listKeys(storage, "write-code/damaged/");
    const texts = await Promise.all(kept.map(async (key) => new TextDecoder().decode(await storage.get(key))));
    expect(texts).toEqual(["[4", "[5", "[6", "[7"]);
  });

  test("because the store cannot read it is begun again", async () => {
    const broken: StorageBackend = {
      ...bound(storage),
      get: (key) =>
        key === KEYS.files ? Promise.reject(new StorageReadError(key, "a disk failed")) : storage.get(key),
    };

    expect(await log(broken).record([file("a.py")])).toEqual([expect.stringContaining("Nothing of it could be kept")]);
    expect([...(await log().files()).keys()]).toEqual(["a.py"]);
  });

  test("because nothing can be written is a warning, and the next write goes well (W71)", async () => {
    let isFull = true;
    const full: StorageBackend = {
      ...bound(storage),
      write: (entries, options) => (isFull ? Promise.reject(new StorageFullError(1)) : storage.write(entries, options)),
    };
    const own = log(full);

    expect(await own.record([file("a.py")])).toEqual([expect.stringMatching(/could not be kept.*storage is full/)]);
    isFull = false;
    expect(await own.record([file("b.py")])).toEqual([]);
    expect([...(await own.files()).keys()]).toEqual(["b.py"]);
  });
});

test("several writes at once, by several pages, are all in the log", async () => {
  const logs = Array.from({ length: 4 }, () => log());

  const warnings = await Promise.all(
    logs.flatMap((each, index) => [each.record([file(`a${String(index)}`)]), each.record([file(`b${String(index)}`)])]),
  );

  expect(warnings.flat()).toEqual([]);
  expect((await log().files()).size).toBe(8);
  expect(await log().entries()).toHaveLength(8);
});

test("no secret is in the log (W90)", async () => {
  await log().record([file("a.py", { text: "key = 'hunter2'\n", description: "Uses hunter2" })]);

  for (const key of Object.values(KEYS)) expect(JSON.stringify(await stored(key))).not.toContain("hunter2");
  expect((await log().promptEntries())[0]).toMatchObject({ text: "key = '[secret]'\n", description: "Uses [secret]" });
});
