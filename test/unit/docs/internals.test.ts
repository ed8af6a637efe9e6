import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

import { describe, expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

/** What comes from elsewhere, and what is made. */
const LEFT_OUT = ["node_modules", ".git", "dist", "dist-demo", "coverage", "test-results"];
const SELF = "test/unit/docs/internals.test.ts";

const files = readdirSync(root, { withFileTypes: true })
  .filter(({ name }) => !LEFT_OUT.includes(name))
  .flatMap((top) => (top.isFile() ? [top.name] : filesBelow(top.name)));
const folders = new Set(
  files.flatMap((path) => path.split("/").map((_, depth, parts) => parts.slice(0, depth).join("/"))),
);
/** What names are looked up in: code, and texts that code carries. */
const words = new Map(
  files
    .filter((path) => /\.(?:ts|mjs|py|pyi)$/.test(path) && path !== SELF)
    .map((path) => [path, new Set(read(path).match(/\w+/g))] as const),
);

const documents = ["ARCHITECTURE.md", ...files.filter((path) => path.startsWith("docs/internals/"))];
const spansOf = (path: string): string[] =>
  Array.from(
    read(path)
      .replaceAll(/^```[^]*?^```$/gm, "")
      .matchAll(/`([^`\n]+)`/g),
    ([, span = ""]) => span,
  );

function filesBelow(folder: string): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(root.pathname, posix.join(entry.parentPath, entry.name)));
}

/** A path from the root or from a folder of it, or the end of one; `*` is any part of a name. */
function isInRepository(path: string): boolean {
  const name = path.replace(/\/$/, "").replaceAll(".", "\\.").replaceAll("*", "[^/]*");
  const pattern = new RegExp(`(?:^|/)${name}$`);
  return files.some((file) => pattern.test(file)) || [...folders].some((folder) => pattern.test(folder));
}

/** Whether one file has all of the words: `Run.carryOut` is a name, and so is `RunPlan.wire`. */
function isInCode(name: string): boolean {
  const parts = name.match(/\w+/g) ?? [];
  return [...words.values()].some((known) => parts.every((part) => known.has(part)));
}

const FILE = /^[\w.*-]+\.(?:ts|py|pyi|mjs|json|md|html|css)$/;
const PATH = /^\.?\w[\w.*-]*(?:\/[\w.*-]+)*\/?$/;
const NAME = /^[A-Za-z_]\w*(?:\.\w+)*(?:\(\))?$/;

describe.each(documents)("%s", (path) => {
  test("names files and folders that are there", () => {
    const paths = spansOf(path).filter((span) => FILE.test(span) || (span.includes("/") && PATH.test(span)));

    // What the build makes is not in the repository.
    expect(paths.filter((span) => !span.startsWith("dist/") && !isInRepository(span))).toEqual([]);
  });

  test("uses names that the code has", () => {
    const names = spansOf(path).filter((span) => NAME.test(span) && !FILE.test(span));

    expect(names.filter((name) => !isInCode(name))).toEqual([]);
  });

  test("links to what is there", () => {
    const text = read(path);
    const links = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => link);
    const broken = links.filter((link) => {
      const [file = "", heading] = link.split("#");
      const target = file === "" ? path : posix.join(posix.dirname(path), file);
      if (!files.includes(target)) return true;
      return heading !== undefined && !headingsOf(target).includes(heading);
    });

    expect(broken).toEqual([]);
  });
});

test("finds what is not there", () => {
  expect(isInRepository("session/no-session.ts")).toBe(false);
  expect(isInRepository("session/session.ts")).toBe(true);
  expect(isInCode("Session.runAway")).toBe(false);
  expect(isInCode("Session.run")).toBe(true);
});

test("the map leads to every document of the inside", () => {
  const map = read("ARCHITECTURE.md");

  expect(documents.slice(1).filter((path) => !map.includes(`(${path})`))).toEqual([]);
});

/** As GitHub makes anchors of them. */
function headingsOf(path: string): string[] {
  return Array.from(read(path).matchAll(/^#+ (.+)$/gm), ([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}
