import type { SourceFile } from "../../protocol/index.js";
import { PromptFileError } from "../errors.js";

const SUFFIXES = ["", ".txt", ".md", ".prompt", ".xml"];

/**
 * The prompt that a file holds, without blanks around it.
 *
 * @throws {PromptFileError} for a file of another kind, or an empty one.
 */
export function readPromptFile({ file, text }: SourceFile): string {
  const suffix = /\.[^./\\]*$/.exec(file)?.[0].toLowerCase() ?? "";
  if (!SUFFIXES.includes(suffix)) {
    throw new PromptFileError(file, `its name ends in ${suffix}, and not in .txt, .md, .prompt or .xml`);
  }
  const prompt = text.trim();
  if (prompt === "") throw new PromptFileError(file, "it is empty");
  return prompt;
}
