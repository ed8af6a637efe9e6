import { CommandNotFoundError, type CommandResult } from "../commands/index.js";
import { decodeTextInSlices } from "../protocol/index.js";
import { ToolUnavailableError, type SchemaOutput } from "../tools/index.js";
import type { CallingSession } from "./calling-session.js";
import type { SHELL, SHELL_COMMAND } from "./parameters.js";
import { applyPatchTool, BARE_PATCH, patchInCommand, patchInScript, type PatchCommand } from "./patch/index.js";
import { cutMiddle } from "./cut-middle.js";
import { resolvedPath } from "./workspace-path.js";

type ShellInput = SchemaOutput<typeof SHELL>;
type ShellCommandInput = SchemaOutput<typeof SHELL_COMMAND>;

interface ShellResult {
  readonly output: string;
  readonly metadata: { readonly exit_code: number; readonly duration_seconds: number };
}

/** Tokens of the text that `shell_command` answers with. */
const LONGEST_TEXT = 10_000;

const TIMED_OUT = 124;
const NOT_FOUND = 127;

/** @throws {Error} with the protocol's texts. @throws {WorkspacePathError} @throws {ToolUnavailableError} */
export async function shell(input: ShellInput, session: CallingSession, signal: AbortSignal): Promise<ShellResult> {
  const patched = await patchedBy(patchInCommand(input.command), input.workdir, session);
  if (patched !== null) return patched;
  return run("shell", { ...input, argv: withoutLogin(input.command) }, { session, signal });
}

/** The same for one line of the shell, as text. */
export async function shellCommand(
  input: ShellCommandInput,
  session: CallingSession,
  signal: AbortSignal,
): Promise<string> {
  const patched = await patchedBy(patchInScript(input.command), input.workdir, session);
  const { output, metadata } =
    patched ?? (await run("shell_command", { ...input, argv: ["bash", "-c", input.command] }, { session, signal }));
  const shown = cutMiddle(output, LONGEST_TEXT);
  return [
    `Exit code: ${String(metadata.exit_code)}`,
    `Wall time: ${String(metadata.duration_seconds)} seconds`,
    ...(shown === output ? [] : [`Total output lines: ${String(linesIn(output))}`]),
    "Output:",
    shown,
  ].join("\n");
}

/** A command that is a patch is applied, and not run. Null for others. */
async function patchedBy(
  patch: PatchCommand | null,
  workdir: string | undefined,
  session: CallingSession,
): Promise<ShellResult | null> {
  if (patch === null) return null;
  if (patch.kind === "bare") throw new Error(BARE_PATCH);
  const folders = [workdir, patch.folder].filter((folder) => typeof folder === "string");
  return applyPatchTool({ input: patch.patch }, session, { folders });
}

interface Command extends Pick<ShellInput, "workdir" | "timeout_ms" | "with_escalated_permissions"> {
  readonly argv: readonly string[];
}

async function run(
  toolName: string,
  { argv, workdir = "", timeout_ms, with_escalated_permissions }: Command,
  { session, signal }: { readonly session: CallingSession; readonly signal: AbortSignal },
): Promise<ShellResult> {
  if (with_escalated_permissions === true) throw new Error(NO_ESCALATION);
  const [command = "", ...rest] = argv;
  if (command === "") throw new Error("command must not be empty");
  if (timeout_ms < 1) throw new Error("timeout_ms must be greater than zero");
  const path = resolvedPath(workdir);
  if (session.shell === undefined)
    throw new ToolUnavailableError(
      toolName,
      "the session was opened without a shell",
      "Use Python, or the other file tools.",
    );
  const watch = new Watch(timeout_ms, signal);
  try {
    const result = await session.shell.run({
      command,
      argv: rest,
      stdin: new Uint8Array(),
      env: new Map(),
      cwd: path === "" ? "/workspace" : `/workspace/${path}`,
      isMerged: true,
      signal: watch.signal,
      onBegin: () => {
        watch.begin();
      },
    });
    return watch.result(result.exitCode, await textOf(result));
  } catch (error) {
    if (watch.isOver) return watch.result(TIMED_OUT, `command timed out after ${String(timeout_ms)} milliseconds\n`);
    if (error instanceof CommandNotFoundError) return watch.result(NOT_FOUND, `${command}: command not found\n`);
    throw error;
  } finally {
    watch.end();
  }
}

const NO_ESCALATION =
  "approval policy is never; reject command — you cannot ask for escalated permissions if the approval policy is never";

async function textOf({ stdout, stderr }: CommandResult): Promise<string> {
  return (await decodeTextInSlices(stdout)) + (await decodeTextInSlices(stderr));
}

/** The shell does not know `-l`, and has no profile of a login to read. */
function withoutLogin([command = "", option = "", ...rest]: readonly string[]): readonly string[] {
  const isShell = /^(?:.*\/)?(?:ba|z)?sh$/.test(command);
  if (isShell && /^-l?c$/.test(option)) return ["bash", "-c", ...rest];
  return option === "" && rest.length === 0 ? [command] : [command, option, ...rest];
}

function linesIn(text: string): number {
  let count = text.endsWith("\n") || text === "" ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** How long the command has taken, and the end of its time. */
class Watch {
  readonly #limit: number;
  readonly #given: AbortSignal;
  readonly #over = new AbortController();
  #began = performance.now();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(limit: number, signal: AbortSignal) {
    this.#limit = limit;
    this.#given = signal;
  }

  get signal(): AbortSignal {
    return AbortSignal.any([this.#given, this.#over.signal]);
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  begin(): void {
    this.#began = performance.now();
    // A longer time than a timer takes is none.
    this.#timer = setTimeout(
      () => {
        this.#over.abort();
      },
      Math.min(this.#limit, 2 ** 31 - 1),
    );
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  result(exit_code: number, output: string): ShellResult {
    const duration_seconds = Math.round((performance.now() - this.#began) / 100) / 10;
    return { output, metadata: { exit_code, duration_seconds } };
  }
}
