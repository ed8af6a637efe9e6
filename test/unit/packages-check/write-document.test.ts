import { expect, test } from "vitest";

import type { CheckResult } from "../../packages-check/result.js";
import { foreignFiles, writeDocument } from "../../packages-check/write-document.js";
import { checkResult, HASHES, known, packageResult, packages, snippetResult } from "./results.js";

const written = (...results: readonly CheckResult[]): string =>
  writeDocument(
    packages,
    results.map((result, index) => ({ file: `${String(index)}.json`, result })),
    known,
  );

test("the headings count what was run, and the other rows read so", () => {
  const document = written(checkResult());

  expect(document).toContain("# Packages: 2 of 3 snippets were run, 1 read “not run here”\n");
  expect(document).toContain("## Wheels of test/wheels: 2 of 2 snippets were run");
  expect(document).toContain("## Packages that were built for Pyodide: 0 of 1 snippets were run");
  expect(document).toContain("| first-thing | 1.0 | 12,345 | `aaaaaaaaaaaa` | 2 of 2; import 20.0 ms |");
  expect(document).toContain("| second-thing | 2.0 | not run here | `bbbbbbbbbbbb` | not run here |");
  expect(document).toContain("| second-thing | import | not run here |");
});

test("without any result every row reads so", () => {
  expect(written()).toContain("# Packages: 0 of 3 snippets were run, 3 read “not run here”\n");
});

test("each engine has a column, and its newest result counts", () => {
  const document = written(
    checkResult({ date: "2026-11-29T12:00:00.000Z" }),
    checkResult({ packages: [packageResult({ snippets: [snippetResult("first-version", ["older"])] })] }),
    checkResult({ engine: "Chromium 156", packages: [packageResult({ problem: "It was not found.", snippets: [] })] }),
  );

  expect(document).toContain("| package | snippet | Chromium 156 | Firefox 153 |");
  expect(document).toContain("| first-thing | import and version | **failed**: It was not found. | passed |");
  expect(document).not.toContain("older");
});

test("what went well before an import failed stays, beside the reason", () => {
  const document = written(
    checkResult({
      packages: [packageResult({ problem: "The interpreter ended.", snippets: [snippetResult("first-version")] })],
    }),
  );

  expect(document).toContain("| 1 of 2; import 20.0 ms; **failed**: The interpreter ended. |");
  expect(document).toContain("| first-thing | import and version | passed |");
  expect(document).toContain(String.raw`| first-thing | use of a\_name | **failed**: The interpreter ended. |`);
});

test("a snippet that was changed since counts as not run", () => {
  const changed = { ...snippetResult("first-use"), codeSha256: HASHES.second };

  const document = written(
    checkResult({ packages: [packageResult({ snippets: [snippetResult("first-version"), changed] })] }),
  );

  expect(document).toContain("# Packages: 1 of 3 snippets");
  expect(document).toContain(String.raw`| first-thing | use of a\_name | not run here |`);
  expect(document).toContain("1 of 2; import");
});

test("what a result says is text, and the end of what is long", () => {
  const reason = `${"x".repeat(500)} <b>| [a](b)\n\`ValueError\``;

  const document = written(
    checkResult({
      engine: "<script>|",
      packages: [packageResult({ snippets: [snippetResult("first-version", [reason])] })],
    }),
  );

  expect(document).toContain(String.raw` \<b\>\| \[a\](b) \`ValueError\` |`);
  expect(document).toContain(String.raw`| package | snippet | \<script\>\| |`);
  expect(document).not.toContain("x".repeat(201));
});

test("a result with a file of another hash, of no source, or without the package's own is refused", () => {
  const [own] = packageResult().files;
  if (own === undefined) throw new Error("The package has a file.");
  const problemsOf = (...files: readonly (typeof own)[]): string[] =>
    foreignFiles(
      { file: "one.json", result: checkResult({ packages: [packageResult({ files: [...files] })] }) },
      known,
    );

  expect(problemsOf(own)).toEqual([]);
  expect(problemsOf({ ...own, sha256: HASHES.second })).toEqual([
    `one.json: ${own.file} has the SHA-256 ${HASHES.second}, and in the list of wheels ${HASHES.first}.`,
  ]);
  expect(problemsOf(own, { ...own, file: "other.whl" })).toEqual(["one.json: other.whl is not in the list of wheels."]);
  expect(problemsOf()).toEqual(["one.json: first-thing was run without a file of it."]);
});
