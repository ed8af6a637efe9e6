import { expect, test } from "vitest";

import { contentForm } from "../../../src/ui/state/text/content-form.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

test.each([
  ["chart.svg", bytes("<svg/>"), "svg"],
  ["no-extension", bytes('<?xml version="1.0"?>\n<svg xmlns="x"></svg>'), "svg"],
  ["page.html", bytes("<p>"), "html"],
  ["page", bytes("<!doctype html><p>"), "html"],
  ["report.md", bytes("# A"), "markdown"],
  ["table.csv", bytes("a,b\n1,2"), "table"],
  ["rows", bytes('[{"a": 1}]'), "table"],
  ["deep.json", bytes('{"a": [1]}'), "json"],
  ["broken.json", bytes('{"a": '), "text"],
  ["script.py", bytes("import os"), "python"],
  ["note.txt", bytes("[1]"), "text"],
  ["picture.png", png, "image"],
  ["data.bin", Uint8Array.of(0, 1, 255), "binary"],
])("%s is drawn by what it is", (name, content, kind) => {
  expect(contentForm(name, content).kind).toBe(kind);
});

test("an image is one by its bytes, whatever its name says", () => {
  expect(contentForm("harmless.txt", png)).toMatchObject({ kind: "image", mime: "image/png" });
  expect(contentForm("evil.png", bytes("<svg onload='x'/>")).kind).toBe("svg");
  expect(contentForm("evil.png", bytes("not a picture")).kind).toBe("text");
});

test("of a text that is too long to be parsed the beginning is read, and no character is cut in two", () => {
  const form = contentForm("long.json", bytes(`[${"€".repeat(2_100_000)}`));

  expect(form).toMatchObject({ kind: "text" });
  const text = form.kind === "text" ? form.text : "";
  expect(text.length).toBeGreaterThan(1_999_990);
  expect(text.length).toBeLessThan(2_000_010);
  expect(/^\[€+$/.test(text)).toBe(true);
});
