import { describe, expect, test } from "vitest";

import type { Value } from "../../../src/protocol/index.js";
import { toolsOnFiles } from "./tools-on-files.js";

async function read(content: string | Uint8Array, args: Readonly<Record<string, Value>> = {}): Promise<string> {
  const { call } = await toolsOnFiles({ "a.txt": content });
  return call("read_file", { file_path: "/workspace/a.txt", ...args });
}

const NESTED = "fn outer() {\n    if cond {\n        inner();\n    }\n    tail();\n}\n";

function block(
  content: string,
  indentation: Readonly<Record<string, Value>>,
  args: Readonly<Record<string, number>> = {},
): Promise<string> {
  return read(content, { mode: "indentation", indentation, ...args });
}

describe("slices", () => {
  test("read_file of lines 2 and 3 (X59)", async () => {
    expect(await read("a\nb\nc\nd\n", { offset: 2, limit: 2 })).toBe("L2: b\nL3: c");
  });

  test("a wrong offset, a wrong limit, an offset beyond the end and a relative path have their texts (X60)", async () => {
    await expect(read("a\n", { offset: 0 })).rejects.toMatchObject({
      code: "TOOL_CALL",
      reason: "offset must be a 1-indexed line number",
    });
    await expect(read("a\n", { limit: 0 })).rejects.toMatchObject({ reason: "limit must be greater than zero" });
    await expect(read("a\n", { offset: 2 })).rejects.toMatchObject({ reason: "offset exceeds file length" });
    await expect(read("a\n", { file_path: "a.txt" })).rejects.toMatchObject({
      reason: "file_path must be an absolute path",
    });
  });

  test("an empty file is an empty text (X61)", async () => {
    expect(await read("")).toBe("");
    await expect(read("", { offset: 2 })).rejects.toMatchObject({ reason: "offset exceeds file length" });
  });

  test("of a line of 550 bytes the first 500 and how many there are (X62)", async () => {
    expect(await read(`${"x".repeat(550)}\ny`)).toBe(`L1: ${"x".repeat(500)}…[550 bytes]\nL2: y`);
    expect(await read("x".repeat(500))).toBe(`L1: ${"x".repeat(500)}`);
    // A character that would be cut is left out, and one that fits to the last byte is whole.
    expect(await read(`${"x".repeat(499)}é`)).toBe(`L1: ${"x".repeat(499)}…[501 bytes]`);
    expect(await read(`${"x".repeat(498)}é`)).toBe(`L1: ${"x".repeat(498)}é`);
  });

  test("what is no UTF-8 is U+FFFD, and of CRLF nothing is left (X63)", async () => {
    expect(await read(Uint8Array.of(0xff, 0xfe, 0x0a, 0x61))).toBe("L1: \ufffd\ufffd\nL2: a");
    expect(await read("a\r\nb\r\n")).toBe("L1: a\nL2: b");
    expect(await read("\ufeffa\n")).toBe("L1: \ufeffa");
  });

  test("a slice from the middle of many lines has their numbers", async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${String(index + 1)}`).join("\n");

    expect(await read(lines, { offset: 1999, limit: 3 })).toBe("L1999: line 1999\nL2000: line 2000\nL2001: line 2001");
    expect(await read(lines, { offset: 4999 })).toBe("L4999: line 4999\nL5000: line 5000");
  });

  test("what is missing, a folder, or outside of the workspace is said", async () => {
    const { call } = await toolsOnFiles({ "src/a.py": "a" });
    const reading = (file_path: string): Promise<unknown> => call("read_file", { file_path });

    await expect(reading("/workspace/b.py")).rejects.toMatchObject({
      reason: "failed to read file: No such file or directory (os error 2)",
    });
    await expect(reading("/workspace/src")).rejects.toMatchObject({
      reason: "failed to read file: Is a directory (os error 21)",
    });
    for (const path of ["/etc/passwd", "/workspace/../etc/passwd", "/workspaces/a"])
      await expect(reading(path)).rejects.toMatchObject({ code: "WORKSPACE_PATH", path });
    expect(await reading("/workspace//src/./x/../a.py")).toBe("L1: a");
  });

  test("a file over the limit is refused before it is read", async () => {
    const size = 32 * 2 ** 20 + 1;
    const { call } = await toolsOnFiles({ "big.bin": new Uint8Array(size) });

    await expect(call("read_file", { file_path: "/workspace/big.bin", limit: 1 })).rejects.toMatchObject({
      code: "FILE_TOO_LARGE",
      path: "big.bin",
      size,
    });
  });

  test("more lines than one call answers with are refused, not cut", async () => {
    await expect(read("\n".repeat(100_001), { limit: 1_000_000 })).rejects.toMatchObject({
      reason: expect.stringContaining("ask for a part of them"),
    });
  });
});

describe("the block around a line", () => {
  test("one level up from the innermost line is the block that holds it (X64)", async () => {
    expect(await block(NESTED, { anchor_line: 3, max_levels: 1 })).toBe(
      "L2:     if cond {\nL3:         inner();\nL4:     }",
    );
  });

  test("with siblings what is beside the block comes too (X65)", async () => {
    expect(await block(NESTED, { anchor_line: 3, max_levels: 1, include_siblings: true })).toBe(
      "L2:     if cond {\nL3:         inner();\nL4:     }\nL5:     tail();",
    );
  });

  test("with one line at most it is the line itself (X67)", async () => {
    expect(await block(NESTED, { anchor_line: 3, max_lines: 1 })).toBe("L3:         inner();");
    expect(await block(NESTED, { anchor_line: 3 }, { limit: 1 })).toBe("L3:         inner();");
  });

  test("without a limit of levels it is all there is, and the anchor is the offset", async () => {
    expect((await block(NESTED, {}, { offset: 3 })).split("\n")).toHaveLength(6);
  });

  test("comments above it are its header, other lines beside it are not", async () => {
    const source = "a = 1\n\n# says what f does\n# in two lines\ndef f():\n\tx = 1\n\n\ty = 2\n\nb = 2\n";

    const lines = async (include_header: boolean): Promise<string[]> =>
      (await block(source, { anchor_line: 6, max_levels: 1, include_header })).split("\n");

    expect(await lines(true)).toEqual([
      "L3: # says what f does",
      "L4: # in two lines",
      "L5: def f():",
      "L6: \tx = 1",
      "L7: ",
      "L8: \ty = 2",
      "L9: ",
      "L10: b = 2",
    ]);
    expect((await lines(false))[0]).toBe("L5: def f():");
  });

  test("a wrong anchor, no lines and an anchor beyond the end have their texts", async () => {
    await expect(block("a\n", { anchor_line: 0 })).rejects.toMatchObject({
      reason: "anchor_line must be a 1-indexed line number",
    });
    await expect(block("a\n", { max_lines: 0 })).rejects.toMatchObject({
      reason: "max_lines must be greater than zero",
    });
    await expect(block("a\n", { anchor_line: 2 })).rejects.toMatchObject({
      reason: "anchor_line exceeds file length",
    });
  });
});
