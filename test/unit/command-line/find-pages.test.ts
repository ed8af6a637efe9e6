import { symlink } from "node:fs/promises";
import { relative } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { findPages } from "../../../src/command-line/check-site/find-pages.js";
import { filesMatching } from "../../../src/command-line/check-site/glob.js";
import { TrialSite } from "./trial-site.js";

let site: TrialSite;

const FILES = [
  "docs/index.html",
  "docs/style.css",
  "docs/guide/a.html",
  "docs/guide/b.HTM",
  "docs/guide/deep/c.html",
  "docs/.cache/old.html",
  "docs/node_modules/x/readme.html",
  "docs/[v1]/d.html",
  "sources/page.md",
  ".out/e.html",
];

beforeAll(async () => {
  site = await TrialSite.create();
  for (const file of FILES) await site.write(file, "<p>");
  await symlink(site.path("docs"), site.path("docs/guide/round"), "dir");
});
afterAll(() => site.remove());

const ALL = ["docs/[v1]/d.html", "docs/guide/a.html", "docs/guide/b.HTM", "docs/guide/deep/c.html", "docs/index.html"];

async function find(names: readonly string[], root?: string): Promise<{ root: string; files: string[] }> {
  const found = await findPages(names, { cwd: site.path("."), root });
  const here = (path: string): string => relative(site.path("."), path) || ".";
  return { root: here(found.root), files: found.files.map(here) };
}

describe("pages", () => {
  test.each([
    { names: ["docs"], root: "docs", files: ALL },
    { names: ["docs/**"], root: "docs", files: ALL },
    // As a shell without "**" writes it out.
    { names: ["docs/[v1]", "docs/guide", "docs/index.html", "docs/style.css"], root: "docs", files: ALL },
    { names: ["docs/guide/a.html"], root: "docs/guide", files: ["docs/guide/a.html"] },
    { names: ["docs/guide/*.html"], root: "docs/guide", files: ["docs/guide/a.html"] },
    {
      names: ["docs/guide/deep", "docs/index.html"],
      root: "docs",
      files: ["docs/guide/deep/c.html", "docs/index.html"],
    },
    { names: [".out"], root: ".out", files: [".out/e.html"] },
    { names: ["docs/index.html", "sources/page.md"], root: "docs", files: ["docs/index.html"] },
  ])("$names", async ({ names, root, files }) => {
    expect(await find(names)).toEqual({ root, files });
  });

  test("the root may be said", async () => {
    expect(await find(["docs/guide/a.html"], "docs")).toEqual({ root: "docs", files: ["docs/guide/a.html"] });
  });

  test.each([
    { names: ["docs/index.html"], root: "docs/guide", says: "docs/index.html is not below docs/guide, the --root." },
    { names: ["sources"], says: "There is no HTML file in sources, but .md files: build the site first" },
    { names: ["docs/style.css"], says: "There is no HTML file in docs/style.css." },
    { names: ["missing"], says: 'There is no file or folder "missing".' },
    { names: ["docs/*.xhtml"], says: 'Nothing matches "docs/*.xhtml".' },
  ])("$names is refused: $says", async ({ names, root, says }) => {
    await expect(find(names, root)).rejects.toThrow(says);
  });
});

describe("patterns", () => {
  test.each([
    { pattern: "docs/*", files: FILES.filter((file) => file.startsWith("docs/") && !/\/\.|node_modules/.test(file)) },
    { pattern: "docs/**/*.html", files: ALL.filter((file) => file.endsWith(".html")) },
    { pattern: "**/c.html", files: ["docs/guide/deep/c.html"] },
    { pattern: "docs/guide/?.html", files: ["docs/guide/a.html"] },
    { pattern: "docs/guide/[!b].*", files: ["docs/guide/a.html"] },
    { pattern: "docs/guide/[a-c].{html,HTM}", files: ["docs/guide/a.html", "docs/guide/b.HTM"] },
    { pattern: "docs/.cache/*.html", files: ["docs/.cache/old.html"] },
    { pattern: "docs/{index,none}.html", files: ["docs/index.html"] },
    { pattern: "docs/*.HTML", files: [] },
  ])("$pattern", async ({ pattern, files }) => {
    const found = await filesMatching(pattern, site.path("."));

    expect(found.map((file) => relative(site.path("."), file))).toEqual([...files].sort());
  });
});
