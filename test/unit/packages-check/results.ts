import type { CheckResult, PackageResult, SnippetResult } from "../../packages-check/result.js";
import type { CheckedPackage, Snippet } from "../../packages-check/snippets/index.js";
import type { KnownFiles } from "../../packages-check/write-document.js";
import { sha256 } from "../../../src/storage/index.js";

export const HASHES = { first: "a".repeat(64), second: "b".repeat(64) };

const snippet = (id: string, title: string): Snippet => ({ id, title, code: `# ${id}`, expected: {} });

/** Two packages of made-up names, one in each source. */
export const packages: readonly CheckedPackage[] = [
  {
    name: "first-thing",
    source: "wheels",
    module: "first_thing",
    snippets: [snippet("first-version", "import and version"), snippet("first-use", "use of a_name")],
  },
  { name: "second-thing", source: "pyodide", module: "second_thing", snippets: [snippet("second-version", "import")] },
];

export const known: KnownFiles = {
  wheels: new Map([
    ["first_thing-1.0-py3-none-any.whl", { name: "first-thing", version: "1.0", sha256: HASHES.first }],
  ]),
  pyodide: new Map([
    ["second_thing-2.0-py3-none-any.whl", { name: "second-thing", version: "2.0", sha256: HASHES.second }],
  ]),
};

export function snippetResult(id: string, differences: string[] = []): SnippetResult {
  const outcome = differences.length === 0 ? "passed" : "failed";
  return { id, codeSha256: sha256(`# ${id}`), outcome, differences, elapsed: 5 };
}

export function packageResult(news: Partial<PackageResult> = {}): PackageResult {
  return {
    source: "wheels",
    name: "first-thing",
    problem: null,
    files: [
      {
        name: "first-thing",
        version: "1.0",
        file: "first_thing-1.0-py3-none-any.whl",
        sha256: HASHES.first,
        size: 12_345,
      },
    ],
    importTimes: [30, 10, 20],
    snippets: [snippetResult("first-version"), snippetResult("first-use")],
    ...news,
  };
}

export function checkResult(news: Partial<CheckResult> = {}): CheckResult {
  return {
    format: 1,
    commit: "0123456789",
    date: "2026-11-28T12:00:00.000Z",
    engine: "Firefox 153",
    userAgent: "a browser",
    pyodide: "314.0.7",
    python: "3.14.2",
    packages: [packageResult()],
    ...news,
  };
}
