import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

const paths = readdirSync(new URL("src", root), { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".ts"),
);
const sources = paths.map((path) => read(`src/${path}`));
const namesIn = (texts: readonly string[], pattern: RegExp): Set<string> =>
  new Set(texts.flatMap((text) => Array.from(text.matchAll(pattern), ([, name = ""]) => name)));

const functions = namesIn(sources, /^export (?:async )?function\*? ([a-z]\w*[A-Z]\w*)/gm);
const fields = namesIn(sources, /\breadonly (\w+)\??:/g);
const exported = namesIn(
  paths
    .filter(
      (path) =>
        path.endsWith("/public.ts") ||
        ["ui/widget/index.ts", "fences/index.ts", "fences/remark-cells.ts"].includes(path),
    )
    .map((path) => read(`src/${path}`)),
  /\b([a-z]\w*)/g,
);
const hidden = new Set([...functions].filter((name) => !exported.has(name) && !fields.has(name)));
/** What a page's author reads; ARCHITECTURE.md and docs/internals are about the inside. */
const documents = ["README.md", ...readdirSync(new URL("docs", root)).map((file) => `docs/${file}`)].filter((path) =>
  path.endsWith(".md"),
);

test("there are functions that the package keeps to itself", () => {
  expect(hidden.size).toBeGreaterThan(100);
  expect(exported).toContain("functionTool");
});

test.each(documents)("%s sends nobody to a function that the package does not export", (path) => {
  const inCode = Array.from(read(path).matchAll(/`([a-z]\w*)(?:\([^`]*)?`/g), ([, name = ""]) => name);

  expect(inCode.filter((name) => hidden.has(name))).toEqual([]);
});
