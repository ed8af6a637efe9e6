import { readdir, readFile } from "node:fs/promises";

import { z } from "zod";

import { CheckResult } from "./result.js";
import { foreignFiles, type KnownFiles, type NamedResult } from "./write-document.js";

/** Bytes that a result may have: it is a file that was sent by others. */
const LARGEST = 2_000_000;

/** The results cannot be used as they are. */
export class ResultsError extends Error {
  override readonly name = "ResultsError";

  /** @param problems - a line for each. */
  constructor(readonly problems: readonly string[]) {
    super(
      `Some results cannot be used; remove or renew them.\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    );
  }
}

/** The results in a folder, in the order of their names. @throws {ResultsError} naming every file that is no good. */
export async function readResults(folder: URL, known: KnownFiles): Promise<readonly NamedResult[]> {
  const problems: string[] = [];
  const results: NamedResult[] = [];
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".json")).sort()) {
    const result = parseResult(await readFile(new URL(encodeURIComponent(file), folder), "utf8"));
    if (typeof result === "string") {
      problems.push(`${file}: ${result}`);
      continue;
    }
    problems.push(...foreignFiles({ file, result }, known));
    results.push({ file, result });
  }
  if (problems.length > 0) throw new ResultsError(problems);
  return results;
}

/** @returns what is wrong with the text, where it is no result. */
export function parseResult(text: string): CheckResult | string {
  if (text.length > LARGEST) return `it is larger than ${LARGEST.toLocaleString("en-US")} characters`;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return "it is no JSON";
  }
  const parsed = CheckResult.safeParse(json);
  return parsed.success ? parsed.data : z.prettifyError(parsed.error).replaceAll("\n", " ");
}
