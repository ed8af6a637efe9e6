import type { SourceFile } from "../../protocol/index.js";
import { PromptFileError } from "../errors.js";
import type { Notify } from "./agent-kind.js";

const SUFFIXES = ["", ".txt", ".md", ".prompt", ".xml"];

/**
 * The prompt that a file holds, without blanks around it.
 *
 * @throws {PromptFileError} for a file of another kind, or an empty one.
 */
function readPromptFile({ file, text }: SourceFile): string {
  const suffix = /\.[^./\\]*$/.exec(file)?.[0].toLowerCase() ?? "";
  if (!SUFFIXES.includes(suffix)) {
    throw new PromptFileError(file, `its name ends in ${suffix}, and not in .txt, .md, .prompt or .xml`);
  }
  const prompt = text.trim();
  if (prompt === "") throw new PromptFileError(file, "it is empty");
  return prompt;
}

/** The rules that the file holds; null without a file, or with one that cannot be used, which is told. */
export function rulesOf(promptFile: SourceFile | undefined, notify: Notify): string | null {
  if (promptFile === undefined) return null;
  try {
    return readPromptFile(promptFile);
  } catch (error) {
    if (!(error instanceof PromptFileError)) throw error;
    notify({ code: error.code, message: `${error.message} The built-in prompt is used.` });
    return null;
  }
}

/** What is added to the end of a prompt: how to work in the session, then what the agent was given. */
export function endOfPrompt({ instructions = "" }: { readonly instructions?: string }, systemSuffix: string): string {
  return [instructions.trim(), systemSuffix.trim()].filter((part) => part !== "").join("\n\n");
}
