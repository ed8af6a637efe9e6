import { z } from "zod";

const words = (most: number): z.ZodString => z.string().max(most);
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const milliseconds = z.number().nonnegative();

export const SnippetResult = z.strictObject({
  id: words(100),
  /** Of its code: a snippet that was changed since was not run. */
  codeSha256: Sha256,
  outcome: z.enum(["passed", "failed"]),
  /** Why it failed; empty where it passed. */
  differences: z.array(words(4000)).max(20),
  elapsed: milliseconds,
});
export type SnippetResult = z.output<typeof SnippetResult>;

export const PackageFile = z.strictObject({
  name: words(200),
  version: words(200),
  file: words(300),
  sha256: Sha256,
  /** Bytes. */
  size: z.number().int().nonnegative(),
});

export const PackageResult = z.strictObject({
  source: z.enum(["wheels", "pyodide"]),
  name: words(200),
  /** Why it was not installed or imported, each time; null where it was. What went well before is beside it. */
  problem: words(4000).nullable(),
  /** What was installed for it, itself among it. */
  files: z.array(PackageFile).max(500),
  /** One for each interpreter that it was imported in, in milliseconds. */
  importTimes: z.array(milliseconds).max(100),
  snippets: z.array(SnippetResult).max(200),
});
export type PackageResult = z.output<typeof PackageResult>;

/** What the page found in one browser: a file that people send, so it is read with care. */
export const CheckResult = z.strictObject({
  format: z.literal(1),
  /** Of the sources that the page was built from. */
  commit: words(100),
  date: z.iso.datetime(),
  engine: words(60),
  userAgent: words(500),
  pyodide: words(50),
  python: words(50),
  packages: z.array(PackageResult).max(200),
});
export type CheckResult = z.output<typeof CheckResult>;

/** The number in the middle; null where there is none. */
export function median(numbers: readonly number[]): number | null {
  const sorted = [...numbers].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
