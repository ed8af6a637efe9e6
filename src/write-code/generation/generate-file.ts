import type { Model } from "../../model/index.js";
import { shorten } from "../../protocol/index.js";
import type { FileRequest } from "../call/file-request.js";
import type { WriteCodeFault } from "../outcome/faults.js";
import type { FileTelemetry, GenerationTelemetry } from "../outcome/telemetry.js";
import { chooseVersion } from "./arbiter.js";
import { askForText, type AskedText } from "./ask-for-text.js";
import { askFallback } from "./fallback.js";
import type { Generated } from "./generated-file.js";
import type { GenerationWork } from "./generation-work.js";
import { isMarkdown } from "./languages.js";
import type { PromptContext } from "./prompt-context.js";
import { fileMessages } from "./prompt.js";

type TextAsked = Extract<AskedText, { kind: "text" }>;

/** Of the arbiter, where it was not asked. */
const NO_ARBITER: FileTelemetry["arbiter"] = { used: false, model: null, reason: null };

/**
 * Has a file written: by all models at once; where several come to different texts an arbiter chooses, and where none comes
 * to any the fallback is asked. Whatever the models do, it resolves.
 */
export async function generateFile(
  request: FileRequest,
  context: PromptContext,
  work: GenerationWork,
): Promise<Generated> {
  const { options, strike, signal } = work;
  const { path } = request;
  const started = performance.now();
  const { promptTokens, root } = options;
  const messages = fileMessages(request, context, { strike, promptTokens, root });
  const speculative = await Promise.all(
    options.models.map((model, candidate) =>
      askForText({ path, candidate, model, role: "candidate", attempt: 1, messages }, work),
    ),
  );
  const asked: AskedText[] = [...speculative];
  const fallback = fallbackFor(speculative, work);
  if (fallback !== undefined) {
    const first = { path, candidate: asked.length, model: fallback, messages };
    asked.push(...(await askFallback(first, work)));
  }
  const texts = asked.filter((one) => one.kind === "text");
  const { chosen, arbiter } = await choose(texts, { request, context, work });
  const telemetry: GenerationTelemetry = {
    path,
    attempts: asked.map(({ attempt }) => attempt),
    retries: asked.filter(({ attempt }) => attempt.attempt > 1).length,
    chosen: null,
    arbiter,
    elapsed: performance.now() - started,
  };
  if (chosen === undefined || signal.aborted) {
    return { kind: "failed", fault: faultOf(request, asked, work), warnings: [], telemetry };
  }
  const { text, language, reply, warnings, attempt } = chosen;
  work.report({
    type: "chosen",
    path,
    candidate: asked.indexOf(chosen),
    model: attempt.model,
    arbiter: arbiter.model,
    reason: arbiter.reason,
  });
  return {
    kind: "text",
    text,
    language,
    model: attempt.model,
    messages: [...messages],
    reply,
    warnings,
    telemetry: { ...telemetry, chosen: attempt.model },
  };
}

/** Undefined where there is none to ask, or no use in it. */
function fallbackFor(speculative: readonly AskedText[], { options, signal }: GenerationWork): Model | undefined {
  const failures = speculative.flatMap((one) => (one.kind === "failed" ? [one.failure.code] : []));
  const isDone = failures.length < speculative.length || signal.aborted;
  return isDone || isRefusedByAll(failures) || failures.includes("BUDGET_REACHED") ? undefined : options.fallback;
}

/** Whether every key was refused: another request would be as well. */
function isRefusedByAll(codes: readonly string[]): boolean {
  return codes.length > 0 && codes.every((code) => code === "MODEL_AUTH");
}

interface ChoiceParts {
  readonly request: FileRequest;
  readonly context: PromptContext;
  readonly work: GenerationWork;
}

async function choose(
  texts: readonly TextAsked[],
  { request, context, work }: ChoiceParts,
): Promise<{ readonly chosen: TextAsked | undefined; readonly arbiter: FileTelemetry["arbiter"] }> {
  const different = withoutTwins(texts);
  const [first] = different;
  const { arbiter } = work.options;
  if (different.length < 2 || arbiter === undefined || work.signal.aborted)
    return { chosen: first, arbiter: NO_ARBITER };
  const versions = different.map(({ text, attempt }) => ({ model: attempt.model, text }));
  const { index, reason } = await chooseVersion(arbiter, { request, context, versions }, work);
  return { chosen: different[index] ?? first, arbiter: { used: true, model: arbiter.name, reason } };
}

/** Of texts that say the same, the first. */
function withoutTwins(texts: readonly TextAsked[]): TextAsked[] {
  const seen = new Map(texts.toReversed().map((asked) => [comparable(asked.text), asked]));
  const kept = new Set(seen.values());
  return texts.filter((asked) => kept.has(asked));
}

/** Line ends and blanks at the ends of lines make no difference. */
function comparable(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

/** Why there is no text. */
function faultOf(
  { filename, path }: FileRequest,
  asked: readonly AskedText[],
  { options, signal }: GenerationWork,
): WriteCodeFault {
  if (signal.aborted) return { code: "CANCELLED", message: `'${filename}' was not written: the call was stopped.` };
  const failures = asked.flatMap((one) =>
    one.kind === "failed" ? [{ ...one.failure, model: one.attempt.model }] : [],
  );
  const [first] = failures;
  if (first === undefined) {
    return { code: "GENERATION_FAILED", message: `There is no model to write '${filename}'. Give the tool one.` };
  }
  const reached = failures.find(({ code }) => code === "BUDGET_REACHED");
  if (reached !== undefined) return { code: "BUDGET_REACHED", message: reached.message };
  const speculative = failures.slice(0, options.models.length).map(({ code }) => code);
  if (isRefusedByAll(speculative) || isRefusedByAll(failures.map(({ code }) => code))) {
    const others = speculative.length > 1 ? ` The other models refused their keys as well.` : "";
    return { code: "MODEL_AUTH", message: `${first.message}${others}` };
  }
  if (isMarkdown(path) && failures.every(({ code }) => code === "EMPTY_REPLY")) {
    return {
      code: "EMPTY_CODE",
      message: `Generated code was empty: every model answered '${filename}' with nothing.`,
    };
  }
  return { code: "GENERATION_FAILED", message: `No model wrote '${filename}'. ${reasons(failures)}` };
}

/** Characters of all reasons together. */
const LONGEST_REASONS = 1500;

/** Each model's last failure, the one that counts first. */
function reasons(failures: readonly { readonly model: string; readonly message: string }[]): string {
  const last = new Map<string, { readonly message: string; readonly count: number }>();
  for (const { model, message } of failures) last.set(model, { message, count: (last.get(model)?.count ?? 0) + 1 });
  const lines = [...last].toReversed().map(([model, { message, count }]) => {
    const times = count > 1 ? ` (asked ${String(count)} times)` : "";
    return `${model}${times}: ${message}`;
  });
  return shorten(lines.join(" "), LONGEST_REASONS);
}
