import { expect, test } from "vitest";

import type { FileRequest } from "../../../../src/write-code/call/file-request.js";
import { importPaths } from "../../../../src/write-code/call/import-paths.js";
import { planOrder } from "../../../../src/write-code/call/plan-order.js";

const batch = (files: Readonly<Record<string, readonly string[]>>): FileRequest[] =>
  Object.entries(files).map(([path, internalImports], index) => ({
    index,
    filename: path,
    path,
    kind: "code",
    description: "Does it.",
    externalImports: [],
    internalImports,
  }));
const rounds = (files: Readonly<Record<string, readonly string[]>>, root = ""): string[][] =>
  planOrder(batch(files), { root }).map((round) => round.map(({ path }) => path));

test("files that import nothing of the batch are of one round, in the order of the call", () => {
  expect(rounds({ "b.py": ["os"], "a.py": [], "c.py": ["b_of_elsewhere"] })).toEqual([["b.py", "a.py", "c.py"]]);
});

test.each([
  ["a module", "main.py", "pkg.mod", "pkg/mod.py"],
  ["a package", "main.py", "pkg", "pkg/__init__.py"],
  ["a name of a module", "main.py", "pkg.mod.Thing", "pkg/mod.py"],
  ["a statement", "main.py", "from pkg.mod import Thing, other", "pkg/mod.py"],
  ["a module by a statement", "main.py", "from pkg import mod", "pkg/mod.py"],
  ["a path", "main.py", "pkg/mod.py", "pkg/mod.py"],
  ["a path without its ending", "main.py", "pkg/mod", "pkg/mod.py"],
  ["a relative module", "pkg/main.py", ".mod", "pkg/mod.py"],
  ["a relative module of the folder above", "pkg/sub/main.py", "from ..mod import Thing", "pkg/mod.py"],
  ["a script beside it", "web/app.ts", "./store", "web/store.ts"],
  ["a script by what is built of it", "web/app.ts", "./store.js", "web/store.ts"],
  ["a script above it", "web/ui/app.tsx", "import { a } from '../lib/store'", "web/lib/store.ts"],
  ["a folder of scripts", "web/app.ts", "./lib", "web/lib/index.ts"],
  ["a script by an alias", "src/app.ts", "@/lib/store", "src/lib/store.ts"],
  ["a file beside it", "web/app.js", "style.css", "web/style.css"],
])("%s that is of the batch comes first", (_, importer, name, imported) => {
  expect(rounds({ [importer]: [name], [imported]: [] })).toEqual([[imported], [importer]]);
});

test("modules are counted from the root", () => {
  expect(rounds({ "site/main.py": ["pkg.mod"], "site/pkg/mod.py": [] }, "site")).toEqual([
    ["site/pkg/mod.py"],
    ["site/main.py"],
  ]);
});

test("a chain is a round each, and what hangs on nothing is in the first", () => {
  expect(rounds({ "a.py": ["b"], "b.py": ["c"], "c.py": [], "d.py": [], "e.py": ["c"] })).toEqual([
    ["c.py", "d.py"],
    ["b.py", "e.py"],
    ["a.py"],
  ]);
});

test("files that import each other are of one round, and come before what imports them", () => {
  expect(rounds({ "main.py": ["a"], "a.py": ["b", "a"], "b.py": ["a"], "c.py": [] })).toEqual([
    ["a.py", "b.py", "c.py"],
    ["main.py"],
  ]);
});

test("no import leads out of the workspace, and none takes long to read", () => {
  const places = { importer: "a/b.py", root: "" };

  expect(importPaths("../../../etc/passwd", places)).toEqual([]);
  expect(importPaths("", places)).toEqual([]);
  for (const name of [
    `from ${" ".repeat(100_000)}`,
    "a.".repeat(50_000),
    `from a import ${"b,".repeat(50_000)}`,
    "../".repeat(50_000),
  ]) {
    expect(importPaths(name, places).length).toBeLessThan(5000);
  }
});
