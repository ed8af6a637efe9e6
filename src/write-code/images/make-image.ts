import { validateContent } from "../../content/index.js";
import { ModelAuthError, type ModelUsage } from "../../model/index.js";
import { messageOf, unlessAborted } from "../../protocol/index.js";
import type { CallingTask, TokenPrices } from "../../tools/index.js";
import type { FileRequest } from "../call/file-request.js";
import type { WriteCodeFault, WriteCodeFaultCode } from "../outcome/faults.js";
import { imageFacts } from "./image-facts.js";
import type { GeneratedImage, ImageModel } from "./image-model.js";

/** An image that was made and looked at, or why there is none. */
export type MadeImage =
  | {
      readonly kind: "image";
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly mime: string;
      /** Who made it. */
      readonly model: string;
      readonly warnings: readonly string[];
      /** Tokens, where the server counted. */
      readonly usage: ModelUsage | null;
    }
  | { readonly kind: "failed"; readonly fault: WriteCodeFault; readonly warnings: readonly string[] };

export interface ImageWork {
  /** Ends the request. */
  readonly signal: AbortSignal;
  /** The agent's, whose budget counts the request; undefined where no agent works. */
  readonly task: CallingTask | undefined;
  /** Strikes secrets from what a model reads, and from what it says. */
  readonly strike: (text: string) => string;
  /** What the model costs, where that is another price than the agent's own model has. */
  readonly prices?: TokenPrices | undefined;
  /** Milliseconds after which a model of whatever kind is given up. Default 300,000. */
  readonly timeout?: number | undefined;
}

/** The formats that can be looked at, by how names end. */
const FORMATS: Readonly<Record<string, string>> = {
  ...{ png: "png", jpg: "jpeg", jpeg: "jpeg", webp: "webp", gif: "gif" },
};

/** How names end for a format, the usual ending first. */
const ENDINGS: Readonly<Record<string, string>> = { png: ".png", jpeg: ".jpg", webp: ".webp", gif: ".gif" };

/** Pixels of each side, where the call does not say. */
const USUAL_SIDE = 1024;

const TIMEOUT = 300_000;

/**
 * Has an image made and looks at it: that it begins as its name says, and that all of it can be read, as far as
 * `validateContent` reads its format. Nothing is asked a second time. It never rejects: what went wrong is a fault.
 */
export async function makeImage(request: FileRequest, model: ImageModel, work: ImageWork): Promise<MadeImage> {
  const { path, description, image } = request;
  const { signal, task, strike, prices, timeout = TIMEOUT } = work;
  const ending = (/\.([^./]+)$/u.exec(path)?.[1] ?? "").toLowerCase();
  const format = FORMATS[ending];
  const refusal = refusalOf({ path, format, asked: image?.format, model });
  if (refusal !== undefined) return failed("IMAGE_FAILED", refusal);
  if (signal.aborted) return failed("CANCELLED", `The call was stopped before ${path} was made.`);
  const reached = task?.account.reached ?? null;
  if (reached !== null) return failed("BUDGET_REACHED", `${path} was not made: ${reached.message}`);
  const { width = USUAL_SIDE, height = USUAL_SIDE } = image ?? {};
  const late = AbortSignal.timeout(timeout);
  const ended = AbortSignal.any([signal, late]);
  try {
    task?.account.countModelCall();
    const asked = { prompt: strike(description), width, height, format: format ?? "" };
    const made = await unlessAborted(model.generate(asked, { signal: ended }), ended);
    if (made.usage !== undefined && made.usage !== null) {
      task?.account.countTokens({ ...made.usage, isEstimated: false }, prices);
    }
    return await lookedAt(made, { path, wanted: { width, height }, model, work });
  } catch (error) {
    if (ended.aborted && !late.aborted) return failed("CANCELLED", `The call was stopped before ${path} was made.`);
    if (late.aborted) {
      const seconds = String(timeout / 1000);
      return failed(
        "IMAGE_FAILED",
        `Error generating image: "${model.name}" did not answer within ${seconds} seconds.`,
      );
    }
    const code = error instanceof ModelAuthError ? "MODEL_AUTH" : "IMAGE_FAILED";
    return failed(code, strike(`Error generating image: ${messageOf(error)}`));
  }
}

interface Asked {
  readonly path: string;
  /** That of the name; undefined for one that nothing here can look at. */
  readonly format: string | undefined;
  /** What the call wants. */
  readonly asked: string | undefined;
  readonly model: ImageModel;
}

/** Why the model is not even asked. */
function refusalOf({ path, format, asked, model }: Asked): string | undefined {
  const { formats = Object.keys(ENDINGS) } = model;
  const endings = formats.map((each) => ENDINGS[each]).filter((each) => each !== undefined);
  const names = endings.length === 0 ? "" : ` Give it a name that ends in ${endings.join(", ")}.`;
  if (format === undefined || !formats.includes(format)) {
    return `"${model.name}" cannot make the format that ${path} is named for.${names}`;
  }
  const wanted = asked === undefined ? format : (FORMATS[asked.toLowerCase()] ?? asked);
  if (wanted === format) return undefined;
  return `${path} is named for ${format}, and the call asks for ${wanted}. Let \`format\` and the name say the same.`;
}

interface Looking {
  readonly path: string;
  readonly wanted: { readonly width: number; readonly height: number };
  readonly model: ImageModel;
  readonly work: ImageWork;
}

async function lookedAt(
  { bytes, mime, notices, usage }: GeneratedImage,
  { path, wanted, model, work: { signal, strike } }: Looking,
): Promise<MadeImage> {
  const warnings = notices.map(strike);
  const report = await validateContent({ bytes, filename: path }, { signal });
  const facts = imageFacts(bytes);
  if (report.kind === "invalid") {
    const other =
      facts === undefined || facts.format === report.format
        ? ""
        : ` It is ${facts.format}: name it ${renamed(path, facts.format)}.`;
    return failed(
      "IMAGE_FAILED",
      `Error generating image: what "${model.name}" made for ${path} cannot be used (${report.message}).${other}`,
      warnings,
    );
  }
  if (report.kind === "warning") warnings.push(...report.warnings.map(({ message }) => message));
  if (facts?.size === undefined || facts.size === null) {
    const problem = `what "${model.name}" made for ${path} has no size that can be read`;
    return failed("IMAGE_FAILED", `Error generating image: ${problem}.`, warnings);
  }
  const { width, height } = facts.size;
  if (width !== wanted.width || height !== wanted.height) {
    warnings.push(
      `It is ${String(width)}×${String(height)} pixels, and ${String(wanted.width)}×${String(wanted.height)} were asked for.`,
    );
  }
  return {
    kind: "image",
    bytes,
    mime: facts.mime === mime ? mime : facts.mime,
    model: model.name,
    warnings,
    usage: usage ?? null,
  };
}

function renamed(path: string, format: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.replace(/\.[^.]+$/u, ENDINGS[format] ?? "");
}

function failed(code: WriteCodeFaultCode, message: string, warnings: readonly string[] = []): MadeImage {
  return { kind: "failed", fault: { code, message }, warnings };
}
