import type { RunResult } from "../../../session/index.js";

/** What a run printed and came to, as a reader sees it who knows nothing but text. */
export function textOf({ stdout, valueRepr }: Pick<RunResult, "stdout" | "valueRepr">): string {
  if (valueRepr === null) return stdout;
  const isWhole = stdout === "" || stdout.endsWith("\n");
  return `${stdout}${isWhole ? "" : "\n"}${valueRepr}`;
}
