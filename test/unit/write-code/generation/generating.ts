import { vi } from "vitest";

import { ModelAuthError, ModelRateLimitError, ModelServerError } from "../../../../src/model/index.js";
import { generateFile } from "../../../../src/write-code/generation/generate-file.js";
import type { Generated } from "../../../../src/write-code/generation/generated-file.js";
import type { PromptContext } from "../../../../src/write-code/generation/prompt-context.js";
import { F } from "../../../agents/replies.js";
import type { ScriptedWork } from "../../../write-code/scripted-models.js";
import { fileRequest } from "../../../write-code/scripted-writing.js";

const NOTHING: PromptContext = { task: null, siblings: [], present: null, related: [], log: [] };

export const address = { model: "m", server: "https://example.org/v1" };
export const unauthorized = new ModelAuthError(address, { status: 401, reason: "no", hasKey: true });
export const limited = (retryAfter: number | null = null) =>
  new ModelRateLimitError(address, { reason: "", retryAfter });
export const unavailable = () => new ModelServerError(address, { status: 503, reason: "" });

/** A reply with a block of Python. */
export const code = (text: string): string => `${F}python\n${text}\n${F}`;

export const generate = (work: ScriptedWork, path = "a.py"): Promise<Generated> =>
  generateFile(fileRequest(path), NOTHING, work);

/** The text, or why there is none. */
export const textOf = (generated: Generated): string =>
  generated.kind === "text" ? generated.text : generated.fault.message;

/** How each request went: the code of its failure, null for a text. */
export const codes = ({ telemetry }: Generated): (string | null)[] =>
  telemetry.attempts.map(({ failure }) => failure?.code ?? null);

/** With fake timers: lets time pass at once, and tells how long it was. */
export async function withoutWaiting<Result>(working: Promise<Result>): Promise<{ result: Result; waited: number }> {
  const started = performance.now();
  let ended = started;
  const watched = working.finally(() => {
    ended = performance.now();
  });
  await vi.runAllTimersAsync();
  return { result: await watched, waited: Math.round(ended - started) };
}
