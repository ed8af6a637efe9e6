import { optionCheck, OptionError } from "../options/index.js";
import type { Value } from "../protocol/index.js";
import { functionTool, UnknownCallableError, type ToolAdapter, type ToolContext } from "../tools/index.js";
import { WRITE_CODE_DESCRIPTION, WRITE_CODE_NAME, WRITE_CODE_SCHEMA } from "./call/input-schema.js";
import { WRITE_CODE_OPTIONS, type WriteCodeOptions } from "./write-code-options.js";
import type { WritingSession } from "./writing-session.js";

/** What the tool needs of a session: `Session` has it, and so has a session inside another one. */
export interface WritingHost {
  /** @internal The session, of it and those inside it, that makes the call. */
  writingSessionOf(callId: string): WritingSession;
}

/** What {@link writeCodeTool} is made of. */
export interface WriteCodeToolOptions extends WriteCodeOptions {
  /** Whose files are written. Where a session inside it makes the call, that one's. */
  readonly session: WritingHost;
}

const checkOptions = optionCheck<WriteCodeToolOptions>("writeCodeTool", { ...WRITE_CODE_OPTIONS, session: "object" });

const DEFAULT_CALL_TIMEOUT = 1_800_000;

/**
 * The tool `write_codebase_tool`, to be registered in the session whose files it writes:
 * `session.tools.register(writeCodeTool({ session, models, arbiter }))`. `Session.open({ writeCode })` does the same. A batch
 * of files is written by several models at once, judged, cleaned, checked, shown to a person and written as one. See
 * docs/write-code.md.
 *
 * What is wrong with a call, and what fails of it, is part of the answer and never an exception.
 *
 * @throws {OptionError}
 */
export function writeCodeTool(options: WriteCodeToolOptions): ToolAdapter {
  checkOptions(options);
  checkBounds(options);
  const { session, callTimeout = DEFAULT_CALL_TIMEOUT, ...rest } = options;
  const about = {
    name: WRITE_CODE_NAME,
    description: WRITE_CODE_DESCRIPTION,
    timeout: callTimeout,
    ownTime: true,
    asksItself: true,
    hints: { destructive: true },
  };
  const { tool } = functionTool({ ...about, input: WRITE_CODE_SCHEMA, run: () => null });
  const inner = functionTool({
    ...about,
    // What is asked for is looked at by the batch itself, whose answer says what is wrong.
    input: { type: "object", additionalProperties: true },
    run: (args, context) => {
      const working = answerOf(args, context);
      // What it says of its end belongs to the task that called.
      context.task?.waitFor?.(working, context.callId);
      return working;
    },
  });
  const answerOf = async (args: Readonly<Record<string, Value>>, context: ToolContext): Promise<Value> => {
    const { answerCall } = await import("./batch/answer-call.js");
    return answerCall(args, { options: rest, session: session.writingSessionOf(context.callId), context });
  };
  return {
    tool,
    validate: (callable, args) => {
      if (callable !== null && callable !== WRITE_CODE_NAME) {
        throw new UnknownCallableError(WRITE_CODE_NAME, callable, [WRITE_CODE_NAME]);
      }
      return args;
    },
    call: (callable, args, context) => inner.call(callable, args, context),
  };
}

/** @throws {OptionError} for a bound within which nothing can be done. */
function checkBounds({
  replyTimeout = 1,
  callTimeout = 1,
  maxTokens = 1,
  promptTokens = 1,
  concurrentRequests = 1,
}: WriteCodeOptions): void {
  for (const [option, value] of Object.entries({
    replyTimeout,
    callTimeout,
    maxTokens,
    promptTokens,
    concurrentRequests,
  })) {
    if (value >= 1) continue;
    throw new OptionError(`\`${option}\` must be at least 1, not ${String(value)}.`, {
      of: "writeCodeTool",
      option,
      accepted: ["number"],
    });
  }
}
