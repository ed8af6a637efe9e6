import {
  CodeAgent,
  ReactAgent,
  type CodeAgentOptions,
  type ReactAgentOptions,
  type SessionOpener,
} from "../agent/index.js";
import { optionCheck } from "../options/index.js";
import type { TrustLevel } from "../protocol/index.js";
import { WRITE_CODE_OPTIONS, type WriteCodeOptions } from "../write-code/index.js";
import type { CodingSession, OpenedCodingSession } from "./coding-session.js";
import { CODING_STEPS } from "./coding-task.js";

/** What a coding agent is made of beside the options of the agent that it is. */
export interface CodingOptions {
  /** Whose files the agent works on, below `/workspace`. Each task works in a session inside it. */
  readonly session: CodingSession;
  /** Of the session in which a task works, at least as strong as that of the one around it. Default: `sandboxed`. */
  readonly trust?: TrustLevel;
  /** Gives its tasks `write_codebase_tool`. For a session that was opened without it: one that has it shares it with its tasks. */
  readonly writeCode?: WriteCodeOptions;
}

/** An agent for work on code that writes Python. */
export interface CodingAgentOptions extends Omit<CodeAgentOptions, "session">, CodingOptions {
  readonly kind?: "code";
}

/** An agent for work on code that calls tools in JSON. */
export interface CodingReactAgentOptions extends Omit<ReactAgentOptions, "session">, CodingOptions {
  readonly kind: "react";
}

interface CheckedOptions {
  readonly session: CodingSession;
  readonly trust?: TrustLevel | undefined;
  readonly writeCode?: WriteCodeOptions | undefined;
  readonly kind: "code" | "react";
}

const checkCoding = optionCheck<CheckedOptions>("codingAgent", {
  session: "object",
  trust: "string?",
  writeCode: WRITE_CODE_OPTIONS,
  kind: "string",
});

/** Characters of what a tool returned that the JSON agent is shown: a slice of a file, or a page of failed tests. */
const OBSERVATION_LENGTH = 20_000;

/**
 * An agent for work on the files of `/workspace`: a {@link CodeAgent}, or a {@link ReactAgent} with `kind: "react"`, and
 * whatever that has, with
 *
 * - the file tools among its tools, `apply_patch` as well, and `run_tests`, which runs unittest or pytest in a session of its
 *   own;
 * - rules for such work in its prompt, 40 steps for a task, and for the JSON agent observations of 20,000 characters;
 * - the difference that the whole task made as an artifact, `diffs/<taskId>.diff`, however the task ended;
 * - `session.workspace.changes(taskId)`, which undoes the whole task as one.
 *
 * Patches and commands are asked about, unless `approvals` of the session say otherwise.
 *
 * @throws {OptionError} @throws {AgentOptionsError}
 */
export function codingAgent(options: CodingReactAgentOptions): ReactAgent;
/** The same, which writes Python. */
export function codingAgent(options: CodingAgentOptions): CodeAgent;
export function codingAgent(options: CodingAgentOptions | CodingReactAgentOptions): CodeAgent | ReactAgent {
  return options.kind === "react" ? reactAgent(options) : codeAgent(options);
}

function codeAgent({ session, trust, writeCode, kind = "code", ...given }: CodingAgentOptions): CodeAgent {
  return new CodeAgent({
    maxSteps: CODING_STEPS,
    ...given,
    session: opener({ session, trust, writeCode, kind }),
  });
}

function reactAgent({ session, trust, writeCode, kind, ...given }: CodingReactAgentOptions): ReactAgent {
  return new ReactAgent({
    maxSteps: CODING_STEPS,
    observationLength: OBSERVATION_LENGTH,
    ...given,
    session: opener({ session, trust, writeCode, kind }),
  });
}

/** @throws {OptionError} */
function opener(options: CheckedOptions): SessionOpener<OpenedCodingSession> {
  checkCoding(options);
  const { session, ...how } = options;
  return async ({ taskId }) => {
    const { openCodingSession } = await import("./coding-session.js");
    return openCodingSession(session, { taskId, ...how });
  };
}
