import type { AgentRunOptions, AgentSession, AgentSkill, WorkspaceFile } from "../../../src/agent/index.js";
import type { JournalEntry } from "../../../src/dispatch/index.js";
import type { RunErrorData } from "../../../src/protocol/index.js";
import type { RunError, RunResult } from "../../../src/session/index.js";
import type { Tool } from "../../../src/tools/index.js";

/** What a run does, for tests of the loop alone: the loop with real runs is tested in the browser. */
export type ScriptedRun = (options: AgentRunOptions, code: string) => Partial<RunResult> | Promise<Partial<RunResult>>;

export interface ScriptedSession extends AgentSession {
  /** The code of every run so far. */
  readonly codes: readonly string[];
}

export interface SessionContents {
  readonly tools?: readonly Tool[];
  readonly skills?: readonly AgentSkill[];
  readonly files?: readonly WorkspaceFile[];
}

export function scriptedSession(
  runs: readonly ScriptedRun[],
  { tools = [], skills = [], files = [] }: SessionContents = {},
): ScriptedSession {
  const codes: string[] = [];
  return {
    codes,
    tools: { list: () => tools },
    skills: { list: () => Promise.resolve({ skills }) },
    workspace: { list: () => files },
    async run(code, options) {
      const script = runs[codes.length];
      codes.push(code);
      if (script === undefined) throw new Error("The script has no such run.");
      return runResult(await script(options, code));
    },
  };
}

export function runResult(part: Partial<RunResult>): RunResult {
  const error = part.error ?? null;
  return {
    runId: "run-1",
    value: null,
    valueRepr: null,
    stdout: "",
    stderr: "",
    outputs: [],
    error,
    ok: error === null,
    elapsed: 12.5,
    timeout: 30_000,
    heapGrowth: 0,
    calls: [],
    finalAnswer: null,
    signals: [],
    memory: null,
    lost: false,
    notices: [],
    findings: [],
    namedTools: [],
    ...part,
  };
}

export function pythonError(part: Partial<RunErrorData>): RunError {
  const error = { code: "PYTHON_ERROR", pythonType: "ValueError", message: "no", traceback: "", ...part };
  return { ...error, toString: () => error.traceback };
}

export function journalEntry(part: Partial<JournalEntry>): JournalEntry {
  return {
    id: "call-1",
    sessionId: "session-1",
    runId: "run-1",
    parent: null,
    caller: "code",
    namespace: "tools",
    name: "echo",
    arguments: {},
    trust: "sandboxed",
    startedAt: 0,
    outcome: { kind: "pending" },
    ...part,
  };
}
