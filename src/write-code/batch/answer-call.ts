import type { Value } from "../../protocol/index.js";
import type { ToolContext } from "../../tools/index.js";
import { parseCall } from "../call/parse-call.js";
import { preflight } from "../generation/preflight.js";
import { answerValue } from "../outcome/answer-value.js";
import type { WriteCodeAnswer } from "../outcome/batch-result.js";
import type { WriteCodeOptions } from "../write-code-options.js";
import type { WritingSession } from "../writing-session.js";
import { Batch } from "./batch.js";

export interface AnsweredCall {
  readonly options: WriteCodeOptions;
  readonly session: WritingSession;
  readonly context: ToolContext;
}

/** What a call of the tool comes to. Never rejects but for a stop: what is wrong is said in the answer. */
export async function answerCall(args: Readonly<Record<string, Value>>, parts: AnsweredCall): Promise<Value> {
  return answerValue(await answerOf(args, parts));
}

async function answerOf(
  args: Readonly<Record<string, Value>>,
  { options, session, context }: AnsweredCall,
): Promise<WriteCodeAnswer> {
  const parsed = parseCall(args, { root: options.root ?? "" });
  if (parsed.kind === "refused") return refused(parsed.command, parsed.error);
  const hasCode = parsed.files.some(({ kind }) => kind === "code");
  const { error: problem } = await preflight(options, { hasCode, files: session.files });
  if (problem !== null) return refused("write_codebase", problem);
  const output = await new Batch(parsed.files, { options, session, context }).write();
  const error = output.status === "error" ? output.message : null;
  return { tool_name: "write_codebase_tool", command: "write_codebase", output, error };
}

function refused(command: string, error: string): WriteCodeAnswer {
  return { tool_name: "write_codebase_tool", command, output: null, error };
}
