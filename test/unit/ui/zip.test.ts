import { strFromU8, strToU8, unzipSync, zipSync, type Zippable } from "fflate";
import { beforeEach, describe, expect, test } from "vitest";

import { memoryStorage } from "../../../src/storage/index.js";
import { packZip } from "../../../src/ui/state/files/pack-zip.js";
import { unpackZip } from "../../../src/ui/state/files/unpack-zip.js";
import { planZip, readArchive } from "../../../src/ui/state/files/zip-plan.js";
import { Workspace } from "../../../src/workspace/index.js";

const LINK_OF_UNIX = { os: 3, attrs: 0o120777 << 16 };
const never = new AbortController().signal;

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace(memoryStorage());
});

const zipOf = (files: Zippable): Uint8Array<ArrayBuffer> => new Uint8Array(zipSync(files));
/** Where the directory of an archive begins. */
const directoryAt = (archive: Uint8Array): number =>
  archive.findIndex((_, at) => strFromU8(archive.subarray(at, at + 4), true) === "PK\x01\x02");
const paths = async (): Promise<string[]> => (await workspace.list()).map(({ path }) => path);

async function unpack(archive: Uint8Array, folder = ""): Promise<number[]> {
  const { files } = await planZip(archive);
  const progress: number[] = [];
  const onProgress = (done: number): void => void progress.push(done);
  const present = await workspace.list();
  await unpackZip(workspace, { archive, files }, { folder, present, onProgress, signal: never });
  return progress;
}

describe("what would come out of an archive", () => {
  test("is its files, with their size; folders come with what lies in them", async () => {
    const { files, size, leftOut } = await planZip(
      zipOf({ "src/": new Uint8Array(), "src/a.py": strToU8("abc"), "win\\b.txt": strToU8("d"), "./c": strToU8("e") }),
    );

    expect(files.map(({ path }) => path)).toEqual(["src/a.py", "win/b.txt", "c"]);
    expect({ size, leftOut }).toEqual({ size: 5, leftOut: [] });
  });

  test("is not what leads out, is no file, or belongs to a system, which is said", async () => {
    const one = strToU8("x");

    const { files, leftOut } = await planZip(
      zipOf({
        "../out": one,
        "a/../../out": one,
        "/etc/passwd": one,
        "a//b": one,
        "a\u202eb": one,
        ["long/".repeat(300) + "x"]: one,
        link: [one, LINK_OF_UNIX],
        "__MACOSX/._a": one,
        "a/.DS_Store": one,
        f: one,
        "f/g": one,
        "h/i": one,
        h: one,
        fine: one,
      }),
    );

    expect(files.map(({ path }) => path)).toEqual(["f", "h/i", "fine"]);
    expect(leftOut.map(({ why }) => why)).toEqual([
      "leads out of the folder",
      "leads out of the folder",
      "leads out of the folder",
      "has a folder without a name in it",
      "has a character in it that no path may have",
      "has a path that is too long",
      "is a link",
      "belongs to the system where it was packed",
      "belongs to the system where it was packed",
      "lies in a folder that is a file",
      "is a file and a folder at once",
    ]);
  });

  test("is not what is encrypted, packed in another way, or there twice", async () => {
    const archive = zipOf({ a: strToU8("x"), b: strToU8("x"), c: strToU8("x"), d: strToU8("x") });
    // Each is a name of one letter behind 46 bytes.
    const [a, b, c] = [0, 1, 2].map((number) => directoryAt(archive) + number * 47) as [number, number, number];
    archive[a + 8] = 1;
    archive[b + 10] = 12;
    archive[c + 46] = "d".charCodeAt(0);

    const { files, leftOut } = await planZip(archive);

    expect(files.map(({ path }) => path)).toEqual(["d"]);
    expect(leftOut).toEqual([
      { path: "a", why: "is encrypted" },
      { path: "b", why: "is packed in a way that is not read here" },
      { path: "d", why: "is in it twice; the first is taken" },
    ]);
  });

  test("is refused where there is too much of it, by what it says of itself", async () => {
    const large = zipOf({ bomb: strToU8("x") });
    new DataView(large.buffer).setUint32(directoryAt(large) + 24, 200_000_001, true);
    await expect(planZip(large)).rejects.toThrow("Unpacked, the archive has more than 200 MB");
    const many = zipOf(Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [String(n), new Uint8Array()])));
    await expect(planZip(many)).rejects.toThrow("more than 20,000 files");
    await expect(planZip(strToU8("no archive"))).rejects.toThrow("This is no zip archive, or it is damaged.");
    const size = 200_000_001;
    await expect(readArchive({ size } as Blob)).rejects.toThrow("larger than 200 MB");
  });
});

describe("an archive is unpacked", () => {
  test("into a folder, over files that the person has seen there", async () => {
    await workspace.write("lib/a.txt", "old");
    const text = "line\n".repeat(100_000);

    const progress = await unpack(
      zipOf({ "a.txt": strToU8("new"), "b/c.txt": [strToU8(text), { level: 9 }], d: [strToU8("x"), { level: 0 }] }),
      "lib/",
    );

    expect(await paths()).toEqual(["lib/a.txt", "lib/b/c.txt", "lib/d"]);
    expect(strFromU8(await workspace.read("lib/b/c.txt"))).toBe(text);
    expect(progress).toEqual([1, 2, 3]);
    expect((await workspace.list()).some(({ trust }) => trust !== undefined)).toBe(false);
  });

  test("whole or not at all: not over what has changed, not where one is damaged or has no room", async () => {
    const archive = zipOf({ a: strToU8("a".repeat(100)), b: [strToU8("b".repeat(100)), { level: 0 }] });
    const { files } = await planZip(archive);
    const unpackOver = (zip: Uint8Array) =>
      unpackZip(
        workspace,
        { archive: zip, files },
        { folder: "", present: [], onProgress: () => undefined, signal: never },
      );
    const damaged = archive.slice();
    damaged[damaged.indexOf("b".charCodeAt(0), 60) + 20] = 0;

    await expect(unpackOver(damaged)).rejects.toThrow("b is damaged in the archive. Nothing was unpacked.");
    await workspace.write("b", "written meanwhile");
    await expect(unpackOver(archive)).rejects.toThrow("b has changed meanwhile, so nothing was unpacked. Try again.");
    await workspace.delete("b");
    await workspace.write("b/inner", "in the way");
    await expect(unpackOver(archive)).rejects.toMatchObject({ code: "WORKSPACE_PATH" });

    expect(await paths()).toEqual(["b/inner"]);
  });

  test("until it is stopped", async () => {
    const archive = zipOf({ a: strToU8("a"), b: strToU8("b") });
    const { files } = await planZip(archive);
    const stop = new AbortController();

    const unpacking = unpackZip(
      workspace,
      { archive, files },
      {
        folder: "",
        present: [],
        onProgress: () => {
          stop.abort();
        },
        signal: stop.signal,
      },
    );

    await expect(unpacking).rejects.toThrow();
    expect(await paths()).toEqual([]);
  });
});

test("files are packed so that every program reads them, and those that are gone are named", async () => {
  const text = "line\n".repeat(50_000);
  await workspace.writeAll(
    new Map<string, Uint8Array | string>([
      ["a/b.txt", text],
      ["picture.png", strToU8("x".repeat(100_000))],
      ["empty", ""],
      ["gone", "x"],
    ]),
  );
  const files = await workspace.list();
  await workspace.delete("gone");
  const progress: number[] = [];
  const onProgress = (done: number): void => void progress.push(done);

  const { archive, gone } = await packZip(workspace, files, { onProgress, signal: never });

  const unpacked = unzipSync(new Uint8Array(await archive.arrayBuffer()));
  expect(Object.keys(unpacked)).toEqual(["a/b.txt", "empty", "picture.png"]);
  expect(strFromU8(unpacked["a/b.txt"]!)).toBe(text);
  expect(unpacked["picture.png"]?.length).toBe(100_000);
  expect(archive.size).toBeLessThan(110_000);
  expect({ gone, progress }).toEqual({ gone: ["gone"], progress: [1, 2, 3, 4] });
  const back = await planZip(new Uint8Array(await archive.arrayBuffer()));
  expect(back.files.map(({ path }) => path)).toEqual(["a/b.txt", "empty", "picture.png"]);
});
