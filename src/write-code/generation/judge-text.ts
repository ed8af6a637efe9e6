import { ModelRefusedError, withoutThoughts, type FinishReason } from "../../model/index.js";
import { shorten } from "../../protocol/index.js";
import { extractFile, type ExtractedFile } from "./extract-file.js";
import { isPlaceholder } from "./is-placeholder.js";
import { languageOf } from "./languages.js";
import { isWrittenElsewise } from "./written-elsewise.js";

/** A reply as it ended. */
export interface EndedReply {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly model: string;
}

/** Why a reply is no file. */
export interface ReplyFault {
  readonly kind: "fault";
  readonly code: "EMPTY_REPLY" | "NO_CODE" | "PLACEHOLDER" | "MODEL_REFUSED" | "REPLY_CUT" | "WRONG_LANGUAGE";
  readonly message: string;
}

/** The file that a reply holds, or why it is out before anybody compares it with others. */
export async function judgeReply(
  { text, finishReason, model }: EndedReply,
  path: string,
): Promise<ExtractedFile | ReplyFault> {
  if (finishReason === "refusal") return fault("MODEL_REFUSED", new ModelRefusedError(model, text).message);
  if (finishReason === "length") {
    return fault(
      "REPLY_CUT",
      `The reply of "${model}" was cut off at its length limit. Raise maxTokens, or ask for smaller files.`,
    );
  }
  if (finishReason === "filter") {
    return fault("REPLY_CUT", `The reply of "${model}" was cut off by its server's filter.`);
  }
  const said = withoutThoughts(text).trim();
  if (said === "") {
    return fault("EMPTY_REPLY", `Invalid or empty completion content from ${model}`);
  }
  if (isDeclined(said)) return fault("MODEL_REFUSED", new ModelRefusedError(model, text).message);
  const extracted = await extractFile(text, path);
  if (extracted.kind === "none") return fault("NO_CODE", `No code found in response from ${model}`);
  if (isPlaceholder(extracted.text, path)) {
    const first = shorten(extracted.text.trimStart().split("\n", 1)[0] ?? "", 120);
    return fault("PLACEHOLDER", `"${model}" wrote a placeholder in the place of code ("${first}").`);
  }
  if (extracted.isOtherLanguage || isWrittenElsewise(extracted.text, path)) {
    const written = extracted.isOtherLanguage ? extracted.language : "another language";
    return fault("WRONG_LANGUAGE", `"${model}" wrote ${written} where ${languageOf(path) ?? "a text"} was wanted.`);
  }
  return extracted;
}

/** Characters of a reply that does no more than decline. */
const LONGEST_REFUSAL = 2000;
const REFUSAL =
  /^(?:(?:I['’]m|I am) (?:very |really |so )?sorry|sorry\b|(?:I )?(?:must )?apologi[sz]e|unfortunately,? I\b|I (?:can['’]?t|cannot|can not|won['’]t|will not|am unable|am not able|must decline|have to decline)\b|I['’]m (?:unable|not able)\b|as an AI\b)/i;

/** Words by which a model declines, without any code. */
function isDeclined(said: string): boolean {
  return said.length <= LONGEST_REFUSAL && !said.includes("```") && REFUSAL.test(said);
}

function fault(code: ReplyFault["code"], message: string): ReplyFault {
  return { kind: "fault", code, message };
}
