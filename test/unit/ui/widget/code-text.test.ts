import { expect, test } from "vitest";

import { demoLink, fileNameOf } from "../../../../src/ui/widget/cell/code-text.js";

test("the link to a demo has the code in its fragment, which no server sees", () => {
  const link = new URL(demoLink("https://demo.example/app/?a=1#old", 'print("größer ≥ ??>")') ?? "");

  expect(link.href.startsWith("https://demo.example/app/?a=1#python=")).toBe(true);
  const text = link.hash.slice("#python=".length);
  expect(text).toMatch(/^[\w-]+$/);
  expect(Buffer.from(text, "base64url").toString("utf8")).toBe('print("größer ≥ ??>")');
  expect(demoLink("https://demo.example/", "#".repeat(30_001))).toBeNull();
});

test("a download is called after its cell", () => {
  expect(fileNameOf("Grouping rows, by month")).toBe("grouping-rows-by-month.py");
  expect(fileNameOf("Größe / 尺寸")).toBe("größe-尺寸.py");
  expect(fileNameOf("../..")).toBe("cell.py");
});
