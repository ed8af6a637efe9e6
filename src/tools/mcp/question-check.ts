import { VitrineError } from "../../protocol/index.js";

/** Characters of all texts of one question at most: a person is to read them before they agree. */
const LONGEST_QUESTION = 100_000;

/** An MCP server asked what no person can be shown. The page was not asked, and the server was told. */
export class McpQuestionError extends VitrineError {
  override readonly name = "McpQuestionError";
  readonly code = "MCP_QUESTION";
}

/** An MCP server asked with more text than a person reads. The page was not asked, and the server was told. */
export class McpQuestionTooLongError extends VitrineError {
  override readonly name = "McpQuestionTooLongError";
  readonly code = "MCP_QUESTION_TOO_LONG";

  constructor(
    /** Characters. */
    readonly limit: number,
  ) {
    super(
      `The texts of the question have more than ${limit.toLocaleString("en-US")} characters together, which is more than a person is asked to read. Ask with less.`,
    );
  }
}

/** Counts the texts of a question, names of fields among them, without what pictures and sounds consist of. @throws {McpQuestionTooLongError} */
export function checkQuestionLength(question: unknown): void {
  let length = 0;
  // With a list of its own: what is nested deeply would fill the stack.
  const open: unknown[] = [question];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part === "string") length += part.length;
    else if (Array.isArray(part)) for (const item of part as unknown[]) open.push(item);
    else if (typeof part === "object" && part !== null) {
      const isMedia = "type" in part && (part.type === "image" || part.type === "audio");
      for (const [name, value] of Object.entries(part)) {
        length += name.length;
        if (!(isMedia && name === "data")) open.push(value);
      }
    }
    if (length > LONGEST_QUESTION) throw new McpQuestionTooLongError(LONGEST_QUESTION);
  }
}

/**
 * The address as a browser opens it, so that what a person is shown is where they get: `https:\\a.example` is
 * `https://a.example/`, and letters of other scripts in the name of a site are written out.
 *
 * @throws {McpQuestionError} where it is none of the web, or says who visits: `https://bank.example@evil.example`.
 */
export function checkedAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new McpQuestionError("A person is sent to addresses that begin with https:// or http:// only.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new McpQuestionError("A person is sent to no address with a user name or password in it.");
  }
  return url.href;
}
