import type { FileRequest } from "../call/file-request.js";
import { askAgain } from "../generation/ask-again.js";
import { generateFile } from "../generation/generate-file.js";
import type { FailedGeneration, Generated, GeneratedText } from "../generation/generated-file.js";
import type { GenerationWork } from "../generation/generation-work.js";
import { fenced } from "../generation/prompt-text.js";
import type { PromptContext } from "../generation/prompt-context.js";
import type { GenerationTelemetry } from "../outcome/telemetry.js";
import { checkText, type TextCheck } from "../text/check-text.js";
import { prepareTexts } from "../text/prepare-texts.js";
import type { Versions } from "../writing/write-batch.js";
import type { TextInterpreter } from "../writing-session.js";

/** A text that may be written, and what there is to say of it. */
export interface ReadyText {
  readonly kind: "ready";
  readonly text: string;
  readonly generated: GeneratedText;
  /** What a person is shown with the difference, and a caller reads beside the result. */
  readonly warnings: readonly string[];
  readonly telemetry: GenerationTelemetry;
}

interface CodeFileWork extends GenerationWork {
  readonly interpreter: () => Promise<TextInterpreter>;
  /** The paths of the whole batch: what is not there yet may be imported all the same. */
  readonly batchPaths: readonly string[];
}

/** Comes to the text of one file: written, repaired, looked at, and mended once where it does not pass. */
export class CodeFile {
  readonly #request: FileRequest;
  readonly #work: CodeFileWork;

  constructor(request: FileRequest, work: CodeFileWork) {
    this.#request = request;
    this.#work = work;
  }

  async write(context: PromptContext): Promise<ReadyText | FailedGeneration> {
    return this.#toText(await generateFile(this.#request, context, this.#work), { asksAgain: true });
  }

  /** Brings together what the model wrote and what the file holds now. */
  async merge(ready: ReadyText, { theirs }: Pick<Versions, "theirs">): Promise<ReadyText | FailedGeneration> {
    const words = mergeWords(this.#request.path, theirs);
    const merged = await askAgain(ready.generated, words, "merge", this.#request, this.#work);
    return this.#toText(merged, { asksAgain: false });
  }

  async #toText(
    generated: Generated,
    { asksAgain }: { readonly asksAgain: boolean },
  ): Promise<ReadyText | FailedGeneration> {
    if (generated.kind === "failed") return generated;
    const { telemetry } = generated;
    const { path } = this.#request;
    const { text, warnings: changed } = await this.#prepared(generated.text);
    const warnings = [...generated.warnings, ...changed];
    if (text.trim() === "") {
      const fault = { code: "EMPTY_CODE", message: `Generated code was empty: ${path}` } as const;
      return { kind: "failed", fault, warnings, telemetry };
    }
    const checked = await this.#checked(text, generated.language);
    warnings.push(...checked.warnings);
    const isFaulty = checked.problems.length > 0;
    this.#work.report({ type: "checked", path, problems: checked.problems, isAskedAgain: isFaulty && asksAgain });
    if (!isFaulty) return { kind: "ready", text, generated, warnings, telemetry };
    if (asksAgain) {
      const again = await askAgain(generated, repairWords(path, checked), "repair", this.#request, this.#work);
      // Where the model has no second answer, the first is what there is.
      if (again.kind === "text") return this.#toText(again, { asksAgain: false });
      warnings.push(`It was not mended: ${again.fault.message}`);
      if (again.fault.code === "CANCELLED")
        return { kind: "failed", fault: again.fault, warnings, telemetry: again.telemetry };
      // The text is still the one of the model that wrote it first.
      const telemetry = { ...again.telemetry, chosen: generated.telemetry.chosen };
      return this.#faulty({ text, generated: { ...generated, telemetry }, checked, warnings });
    }
    return this.#faulty({ text, generated, checked, warnings });
  }

  /** A text that failed its check a second time. */
  #faulty({ text, generated, checked, warnings }: Faulty): ReadyText | FailedGeneration {
    const { path } = this.#request;
    const { telemetry } = generated;
    const [first = ""] = checked.problems;
    if (this.#work.options.writesFaulty === true) {
      const marked = `${path} does not pass its check: ${first}`;
      return { kind: "ready", text, generated, warnings: [...warnings, marked], telemetry };
    }
    const message = `${path} was not written, since it does not pass its check: ${first}`;
    return { kind: "failed", fault: { code: "CHECK_FAILED", message }, warnings, telemetry };
  }

  async #prepared(text: string): Promise<{ readonly text: string; readonly warnings: readonly string[] }> {
    const [prepared] = await prepareTexts([{ path: this.#request.path, text }], this.#work.interpreter, {
      signal: this.#work.signal,
    });
    return prepared ?? { text, warnings: [] };
  }

  #checked(text: string, language: string): Promise<TextCheck> {
    const { path, externalImports } = this.#request;
    const { batchPaths, interpreter, signal } = this.#work;
    return checkText({ path, text, language, batchPaths, externalImports }, interpreter, { signal });
  }
}

interface Faulty {
  readonly text: string;
  readonly generated: GeneratedText;
  readonly checked: TextCheck;
  readonly warnings: readonly string[];
}

function repairWords(path: string, { words }: TextCheck): string {
  return `${path} does not pass its check:\n\n${words}\n\nSend the whole file once more, mended, in one fenced block and nothing else.`;
}

/** Its own text the model has said already. */
function mergeWords(path: string, theirs: string | null): string {
  const now =
    theirs === null
      ? `Meanwhile somebody deleted ${path}.`
      : `Meanwhile somebody else changed ${path}. It holds now:\n\n${fenced(theirs, "")}`;
  return [
    now,
    "Bring that and your last text together: keep what they changed, and do what you were asked for. Send the whole file in one fenced block and nothing else.",
  ].join("\n\n");
}
