import { deflateRawSync } from "node:zlib";
import { readFile } from "node:fs/promises";

import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";

import { readArchive } from "../../../src/deps/resolution/archive.js";

const METADATA = "a-1.0.dist-info/METADATA";

function archive(metadata: string, others: Readonly<Record<string, string>> = {}): Buffer {
  const texts = { ...others, [METADATA]: metadata };
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, strToU8(text)]))));
}

describe("what an archive says of itself", () => {
  test("is how much it holds, and what it needs", async () => {
    const made = archive("Name: a\nRequires-Dist: b>=1\nrequires-dist: c;\n extra == 'd'\n\nRequires-Dist: no", {
      "a.py": "x",
    });

    expect(await readArchive(made)).toEqual({ requires: ["b>=1", "c; extra == 'd'"], size: 79, files: 2 });
  });

  test("is read of wheels as they are published", async () => {
    const wheel = await readFile(new URL("../../wheels/pydantic-2.14.4-py3-none-any.whl", import.meta.url));

    const read = await readArchive(wheel);

    expect(read?.requires).toContain("annotated-types>=0.6.0");
    expect(read?.files).toBeGreaterThan(50);
    expect(read?.size).toBeGreaterThan(wheel.length);
  });

  test("is read where it has no METADATA, or bytes lie before and behind it", async () => {
    const made = Buffer.from(zipSync({ "lib.so": strToU8("library") }));

    expect(await readArchive(made)).toEqual({ requires: null, size: 7, files: 1 });
    const part = Buffer.concat([Buffer.from("before"), made]).subarray(6);
    expect(await readArchive(part)).toEqual({ requires: null, size: 7, files: 1 });
  });

  test("counts more files than two bytes can", async () => {
    const files = Object.fromEntries(Array.from({ length: 65_000 }, (_, n) => [String(n), new Uint8Array()]));

    expect(await readArchive(zipSync(files, { level: 0 }))).toEqual({ requires: null, size: 0, files: 65_000 });
  });
});

describe("an archive is damaged", () => {
  const whole = archive("Name: a\n");
  const central = whole.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  const changed = (change: (bytes: Buffer) => unknown): Buffer => {
    const copy = Buffer.from(whole);
    change(copy);
    return copy;
  };

  test.each([
    ["that is none", Buffer.from("not a zip")],
    ["that is empty", Buffer.alloc(0)],
    ["that was cut", whole.subarray(0, -30)],
    ["whose directory is elsewhere", changed((bytes) => bytes.writeUInt32LE(0xffffff, bytes.length - 6))],
    ["that has fewer files than it says", changed((bytes) => bytes.writeUInt16LE(9, bytes.length - 12))],
    ["whose METADATA is elsewhere", changed((bytes) => bytes.writeUInt32LE(0xffffff, central + 42))],
    ["whose METADATA is packed in another way", changed((bytes) => bytes.writeUInt16LE(12, central + 10))],
    ["whose METADATA cannot be unpacked", changed((bytes) => bytes.fill(0xff, 30 + METADATA.length, central))],
    ["whose METADATA is longer than it says", changed((bytes) => bytes.writeUInt32LE(2, central + 24))],
    ["whose METADATA is too long", archive(`Name: a\n\n${"x".repeat(2 ** 21)}`)],
    ["whose headers are too long", archive("Name: a\n".repeat(130_000))],
    ["that needs more than is read", archive("Requires-Dist: b\n".repeat(5_001))],
  ])("%s", async (_what, bytes) => {
    expect(await readArchive(bytes)).toBeNull();
  });

  test("whose METADATA becomes a hundred million bytes, of which few are unpacked", async () => {
    const packed = deflateRawSync(Buffer.alloc(100_000_000));
    const start = whole.subarray(0, 30 + METADATA.length);
    const rest = Buffer.from(whole.subarray(central));
    rest.writeUInt16LE(8, 10);
    rest.writeUInt32LE(packed.length, 20);
    rest.writeUInt32LE(start.length + packed.length, rest.length - 6);

    expect(await readArchive(Buffer.concat([start, packed, rest]))).toBeNull();
  });
});
