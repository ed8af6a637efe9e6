import { describe, expect, test } from "vitest";

import { copyPath, fileText, LARGEST_EDITED } from "../../../src/ui/state/files/file-text.js";

const ofText = (text: string) => fileText(new TextEncoder().encode(text));

describe("the bytes of a file", () => {
  test("are text where they are UTF-8, with all that is in them", () => {
    expect(ofText("a\n\ufeffä")).toEqual({ kind: "text", text: "a\n\ufeffä", lineEnd: "\n" });
    expect(ofText("\ufeffa")).toMatchObject({ text: "\ufeffa" });
    expect(ofText("")).toEqual({ kind: "text", text: "", lineEnd: "\n" });
  });

  test("have line ends of one kind, or are taken as they are", () => {
    expect(ofText("a\r\nb\r\n")).toMatchObject({ lineEnd: "\r\n" });
    for (const mixed of ["a\r\nb\n", "a\nb\r\n", "a\r\nb\rc", "a\rb"])
      expect(ofText(mixed)).toMatchObject({ lineEnd: "\n" });
  });

  test("are binary where they are no text, and too large where they are many", () => {
    expect(fileText(Uint8Array.of(0xff, 0xfe))).toEqual({ kind: "binary" });
    expect(ofText("a\0b")).toEqual({ kind: "binary" });
    expect(fileText(new Uint8Array(LARGEST_EDITED + 1))).toEqual({ kind: "large" });
  });

  test("are not edited where one of their lines would hold the page up", () => {
    const line = "x".repeat(5000);
    expect(ofText(`${line}\n${line}`)).toMatchObject({ kind: "text" });
    for (const text of [`${line}x`, `${line}x\n`, `a\n${line}x\nb`]) expect(ofText(text)).toEqual({ kind: "long" });
  });
});

test("a copy lies beside its file under a name that is free", () => {
  expect(copyPath("a/notes.md", new Set(["a/notes.md"]))).toBe("a/notes (copy).md");
  expect(copyPath("a.b/notes", new Set(["a.b/notes (copy)"]))).toBe("a.b/notes (copy 2)");
  expect(copyPath(".profile", new Set())).toBe(".profile (copy)");
});
