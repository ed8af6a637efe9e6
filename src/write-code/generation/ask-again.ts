import type { ModelMessage } from "../../model/index.js";
import type { FileRequest } from "../call/file-request.js";
import { askForText } from "./ask-for-text.js";
import type { Generated, GeneratedText } from "./generated-file.js";
import type { GenerationWork } from "./generation-work.js";
import { estimateTokens, fitText } from "./prompt-text.js";

/**
 * Asks the model that wrote a text once more, with what it was asked and said. It is asked once: a failure is the last word.
 * What it took is added to the telemetry of `previous`. Whatever the model does, it resolves.
 *
 * @param words - what is wrong with the text, in words for the model.
 */
export async function askAgain(
  previous: GeneratedText,
  words: string,
  role: "repair" | "merge",
  request: FileRequest,
  work: GenerationWork,
): Promise<Generated> {
  const { options, strike, signal } = work;
  const { path, filename } = request;
  const started = performance.now();
  const candidate = previous.telemetry.attempts.length;
  // Where the fallback came to a text no other model did, whatever they are called.
  const { models, fallback } = options;
  const isFallbacks = previous.telemetry.attempts.some(
    ({ role: asked, failure }) => asked === "fallback" && failure === null,
  );
  const model =
    isFallbacks && fallback?.name === previous.model ? fallback : models.find(({ name }) => name === previous.model);
  if (model === undefined) {
    const message = `"${previous.model}", which wrote '${filename}', is not among the models any more.`;
    return {
      kind: "failed",
      fault: { code: "GENERATION_FAILED", message },
      warnings: [],
      telemetry: previous.telemetry,
    };
  }
  const whole = options.promptTokens ?? 24_000;
  const { text: complaint, isCut } = fitText(strike(words), whole / 2);
  if (role === "merge" && isCut) {
    // What a model does not read it would leave out of the file.
    const message = `'${filename}' is too large for its model to bring both versions together.`;
    return { kind: "failed", fault: { code: "CONFLICT", message }, warnings: [], telemetry: previous.telemetry };
  }
  const messages: ModelMessage[] = [
    ...previous.messages,
    { role: "assistant", content: fitText(previous.reply, Math.max(whole, estimateTokens(previous.text) + 1000)).text },
    { role: "user", content: complaint },
  ];
  const asked = await askForText({ path, candidate, model, role, attempt: 1, messages }, work);
  const telemetry = {
    ...previous.telemetry,
    attempts: [...previous.telemetry.attempts, asked.attempt],
    elapsed: previous.telemetry.elapsed + performance.now() - started,
  };
  if (asked.kind === "text") {
    const { text, language, reply, warnings } = asked;
    return { kind: "text", text, language, model: model.name, messages, reply, warnings, telemetry };
  }
  const { code, message } = asked.failure;
  const isTyped = code === "CANCELLED" || code === "BUDGET_REACHED" || code === "MODEL_AUTH";
  const fault = signal.aborted
    ? ({ code: "CANCELLED", message: `'${filename}' was not written: the call was stopped.` } as const)
    : ({ code: isTyped ? code : "GENERATION_FAILED", message } as const);
  return { kind: "failed", fault, warnings: previous.warnings, telemetry: { ...telemetry, chosen: null } };
}
