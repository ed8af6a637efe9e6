import { describe, expect, test, vi } from "vitest";
import { z } from "zod";

import {
  ChangeListeners,
  encodeJson,
  encodeText,
  findClash,
  indexedDBStorage,
  listJson,
  memoryStorage,
  OrderNumbers,
  pathFault,
  readJson,
  sha256,
} from "../../../src/storage/index.js";

const Note = z.object({ text: z.string(), marks: z.array(z.number()) });

describe("records", () => {
  test("a record is parsed on reading, and an absent one is undefined", async () => {
    const storage = memoryStorage();
    await storage.write(new Map([["note", encodeJson({ text: "ö", marks: [1, 2] })]]));

    expect(await readJson(storage, "note", Note)).toEqual({ text: "ö", marks: [1, 2] });
    expect(await readJson(storage, "none", Note)).toBeUndefined();
  });

  test.each([
    ["not JSON", encodeText("{")],
    ["not UTF-8", Uint8Array.of(0xff, 0xfe)],
    ["of another shape", encodeJson({ text: "a", marks: [1, "2"] })],
    ["empty", new Uint8Array()],
  ])("a record that is %s is an error that names the key", async (_, bytes) => {
    const storage = memoryStorage();
    await storage.write(new Map([["note", bytes]]));

    await expect(readJson(storage, "note", Note)).rejects.toMatchObject({ code: "STORAGE_READ", path: "note" });
  });

  test("the error says which field is wrong", async () => {
    const storage = memoryStorage();
    await storage.write(new Map([["note", encodeJson({ text: "a", marks: [1, "2"] })]]));

    await expect(readJson(storage, "note", Note)).rejects.toThrow('damaged at "marks.1"');
  });

  test("one damaged record is a problem in the list, and the others are read", async () => {
    const storage = memoryStorage();
    await storage.write(
      new Map([
        ["notes/a", encodeJson({ text: "a", marks: [] })],
        ["notes/b", encodeText("damaged")],
        ["notes/../c", encodeJson({ text: "c", marks: [] })],
      ]),
    );

    const isName = (name: string): boolean => pathFault(name) === null;
    const { records, problems } = await listJson(storage, { prefix: "notes/", schema: Note, isName });

    expect([...records.keys()]).toEqual(["a"]);
    expect(problems.map(({ file, code }) => [file, code])).toEqual([
      ["notes/../c", "STORAGE_READ"],
      ["notes/b", "STORAGE_READ"],
    ]);
  });
});

describe("paths", () => {
  test.each([
    "a",
    "a.json",
    "sub/dir/x.json",
    ".hidden",
    "a b",
    "ö/😀",
    "..a",
    "a..",
    "a/..b",
    "outputs",
    "__proto__",
    "می‌شود.txt",
  ])("%j is fine", (path) => {
    expect(pathFault(path)).toBeNull();
  });

  test.each([
    ["", "empty"],
    ["  ", "empty"],
    ["..", "traversal"],
    ["../x", "traversal"],
    ["a/../b", "traversal"],
    ["a/..", "traversal"],
    ["/etc/x", "traversal"],
    ["a//b", "segment"],
    ["a/", "segment"],
    ["./a", "segment"],
    ["a\0b", "character"],
    ["a\nb", "character"],
    ["..\\x", "character"],
    ["\ud800", "character"],
    ["report\u202Egpj.exe", "character"],
    ["a/\u2066b", "character"],
    ["x".repeat(1025), "length"],
  ])("%j is refused: %s", (path, fault) => {
    expect(pathFault(path)).toBe(fault);
  });

  test("a file and a folder of one name clash, whichever came first", () => {
    expect(findClash("a/b", ["a", "c"])).toBe("a");
    expect(findClash("a", ["c", "a/b/c"])).toBe("a/b/c");
    expect(findClash("a", ["a", "ab/c"])).toBeUndefined();
  });
});

describe("SHA-256", () => {
  test.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    ["d|||s", "9c8ea81f0341a9e1"],
  ])("of %j is the published value", (text, hash) => {
    expect(sha256(text).slice(0, hash.length)).toBe(hash);
  });

  test("agrees with the browser's for every length around a block, and beyond ASCII", async () => {
    for (const text of [...Array(150).keys()].map((length) => "x".repeat(length)).concat("ö😀".repeat(1000))) {
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
      const expected = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
      expect(sha256(text), String(text.length)).toBe(expected);
    }
  });
});

describe("change listeners", () => {
  test("are told in turn until they are taken off; the same function can be there twice", () => {
    const listeners = new ChangeListeners<string>();
    const listener = vi.fn();
    const stop = listeners.add(listener);
    listeners.add(listener);

    listeners.tell("a");
    stop();
    stop();
    listeners.tell("b");

    expect(listener.mock.calls).toEqual([["a"], ["a"], ["b"]]);
  });
});

test("order numbers grow also within one millisecond", () => {
  const orders = new OrderNumbers();
  const numbers = Array.from({ length: 1000 }, () => orders.next());

  expect([...new Set(numbers)].sort((a, b) => a - b)).toEqual(numbers);
});

test("without IndexedDB the error says what to do", async () => {
  const read = indexedDBStorage("none").get("note");

  await expect(read).rejects.toMatchObject({ code: "STORAGE_BLOCKED" });
  await expect(read).rejects.toThrow("kept in memory only");
});
