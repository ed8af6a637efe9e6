import { z } from "zod";

import { VitrineError } from "../../protocol/index.js";
import { shortPythonRepr } from "../python/python-repr.js";

/** The page answered a question of an MCP server in a form that no server reads. The server was told that it failed. */
export class McpAnswerError extends VitrineError {
  override readonly name = "McpAnswerError";
  readonly code = "MCP_ANSWER";

  constructor(handler: string, { given, problem, forms }: Misfit) {
    super(`\`${handler}\` answered with what no MCP server reads: ${given} (${problem}). Answer with ${forms}.`);
  }
}

interface Misfit {
  readonly given: string;
  readonly problem: string;
  readonly forms: string;
}

const Content = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image"), data: z.base64(), mimeType: z.string() }),
  z.object({ type: z.literal("audio"), data: z.base64(), mimeType: z.string() }),
]);
const Said = z.object({ model: z.string(), stopReason: z.string().default("endTurn") });
const Text = Said.extend({ text: z.string() }).transform(({ text, ...said }) => ({
  ...said,
  role: "assistant" as const,
  content: { type: "text" as const, text },
}));
const Result = Said.extend({ role: z.literal("assistant").default("assistant"), content: Content });

/** An answer to `onSampling`, as MCP has it. @throws {McpAnswerError} */
export function samplingResult(answer: unknown): z.infer<typeof Result> {
  const isText = typeof answer === "object" && answer !== null && !("content" in answer);
  const parsed = isText ? Text.safeParse(answer) : Result.safeParse(answer);
  if (parsed.success) return parsed.data;
  const forms =
    '`{ model, text }`, or with `{ model, role: "assistant", content: { type: "text", text } }` as MCP has it';
  throw new McpAnswerError("onSampling", { given: inWords(answer), problem: problemOf(parsed.error), forms });
}

const Elicited = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("accept"),
    // Copied, since a page may hand in what it goes on changing.
    content: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).optional(),
  }),
  z.object({ action: z.enum(["decline", "cancel"]) }),
]);

/** An answer to `onElicitation`, as MCP has it. @throws {McpAnswerError} */
export function elicitationResult(answer: unknown): z.infer<typeof Elicited> {
  const parsed = Elicited.safeParse(answer);
  if (parsed.success) return parsed.data;
  const forms =
    '`{ action: "accept", content }`, whose content has texts, numbers, booleans and lists of texts by name, or with ' +
    '`{ action: "decline" }` or `{ action: "cancel" }`';
  throw new McpAnswerError("onElicitation", { given: inWords(answer), problem: problemOf(parsed.error), forms });
}

function problemOf({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return "it does not fit";
  return issue.path.length === 0 ? issue.message : `${issue.path.join(".")}: ${issue.message}`;
}

function inWords(answer: unknown): string {
  return typeof answer === "object" && answer !== null
    ? `an object with ${Object.keys(answer).slice(0, 8).join(", ") || "nothing"}`
    : shortPythonRepr(String(answer), 60);
}
