import { oneLine, signature, TypeWriter, type JsonSchema } from "../../tools/index.js";
import type { OfferedTool } from "./offered-tools.js";
import type { SpokenMode } from "./tool-calling-mode.js";

export interface ReactPrompt {
  readonly mode: SpokenMode;
  readonly tools: readonly OfferedTool[];
  /** In the place of the built-in rules; `{helpers}` in it becomes the names of the tools. */
  readonly rules: string | null;
  /** The form of the answer, where one is asked for. */
  readonly answer: JsonSchema | undefined;
  /** Added at the end, after a blank line. */
  readonly suffix: string;
}

/** The system prompt of a JSON agent. It stays the same from step to step, for the caches of providers. */
export function reactSystemPrompt({ mode, tools, rules, answer, suffix }: ReactPrompt): string {
  const names = tools.map(({ name }) => name).join(", ");
  const sections = [
    rules === null ? RULES : rules.replaceAll("{helpers}", names),
    mode === "native" ? NATIVE_FORM : JSON_FORM,
    // A server that is told of the tools tells the model.
    mode === "native" ? "" : toolSection(tools),
    answer === undefined ? "" : `## The answer\nThe answer has the form of this JSON Schema: ${JSON.stringify(answer)}`,
    suffix.trim(),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

const RULES = `You solve tasks step by step with tools.

## How to work
- Call a tool when you need to know or to do something; look at what it returned before you go on.
- After an error, mend its cause and call again, or find another way.
- Use what the tools returned, and make nothing up. When you have the answer, give it, once.`;

const JSON_FORM = `## Your replies
Each reply is exactly one JSON object and nothing else, of one of these forms:
{"scratchpad": "why, in a sentence", "tool": "name of a tool", "arguments": {"name": "value"}}
{"scratchpad": "a thought to keep, without a call"}
{"answer": "the answer to the task"}
The scratchpad may be left out. Calls that need nothing of each other may stand in one JSON list; they are made in order.`;

const NATIVE_FORM = `## Your replies
Call tools by tool calls; several in one reply are made in order. A reply without a tool call is your answer to the task: plain text, and nothing but the answer.`;

/** Told when a reply is not what was asked for. */
export const BAD_JSON_TEXT = `Your previous reply was not one valid JSON object of the forms that are asked for. Reply with nothing but one JSON object, for example:
{"tool": "name of a tool", "arguments": {"name": "value"}}
or, when you have the answer:
{"answer": "the answer to the task"}`;

/** Told where a model with tool calls neither calls nor says anything. */
export const EMPTY_REPLY_TEXT =
  "Your previous reply was empty. Call a tool, or reply with the answer to the task as plain text.";

/** Told when the server cut the reply. */
export const CUT_REPLY_TEXT =
  "Your reply was cut off at the length limit, so nothing was done with it. Reply again, shorter.";

/** Told when the server withheld the reply, or the rest of it. */
export const WITHHELD_REPLY_TEXT =
  "The server's content filter withheld your reply or the rest of it, so nothing was done with it. " +
  "Reply again, in other words.";

/** Told after the calls that were made of a reply that the server cut. */
export const CUT_CALLS_TEXT =
  "Your reply was cut off at the length limit after these calls. Calls that were to follow were not made; ask for them again.";

/** Told after the calls that were made of a reply whose rest the server withheld. */
export const WITHHELD_CALLS_TEXT =
  "The server's content filter withheld the rest of your reply after these calls. Calls that were to follow were not " +
  "made; ask for them in other words.";

/** Told with pictures that tools showed, after the answers of native calls. */
export const PICTURES_TEXT = "The pictures that these calls showed:";

/** Asks for what there is when the steps are used up. */
export const LAST_ATTEMPT_TEXT = "Return your best final answer now.";

function toolSection(tools: readonly OfferedTool[]): string {
  const types = new TypeWriter();
  const lines = tools.map(({ name, description, callable }) => {
    const args = signature(callable, { name, types }).slice(name.length).replace("(*, ", "(");
    return `- ${name}: ${oneLine(description) || "<no description>"} | args=${args}`;
  });
  if (lines.length === 0) return "## Tools\nThere are none.";
  return ["## Tools", lines.join("\n"), ...types.declarations].join("\n").trim();
}
