import { CommandNotFoundError } from "./errors.js";
import type { CommandCall, CommandHost, CommandResult } from "./command-host.js";

/** What a command of a page is called with. */
export interface PageCommandContext {
  readonly stdin: Uint8Array<ArrayBuffer>;
  readonly env: Readonly<Record<string, string>>;
  /** Aborted when nobody waits for the command any more. */
  readonly signal: AbortSignal;
}

/** How a command of a page ended: its standard output alone, none, or all there is to say. */
export type PageCommandOutcome =
  | undefined
  | string
  | Uint8Array
  | { readonly exitCode?: number; readonly stdout?: string | Uint8Array; readonly stderr?: string | Uint8Array };

/**
 * A command that a page offers. It runs on the page's own thread and may do whatever the page can, with arguments that
 * session code chose.
 */
export type PageCommand = (
  argv: readonly string[],
  context: PageCommandContext,
) => PageCommandOutcome | Promise<PageCommandOutcome>;

/** Commands that are functions of the page, by name. */
export function pageCommands(commands: Readonly<Record<string, PageCommand>>): CommandHost {
  // Names come from tool files: `constructor` must not be found on the prototype.
  const known = new Map(Object.entries(commands));
  return {
    run: async (call) => {
      const command = known.get(call.command);
      if (command === undefined) throw new CommandNotFoundError(call.command, [...known.keys()]);
      return resultOf(await command(call.argv, contextOf(call)));
    },
  };
}

function contextOf({ stdin, env, signal }: CommandCall): PageCommandContext {
  return { stdin, env: Object.fromEntries(env), signal };
}

function resultOf(outcome: PageCommandOutcome = ""): CommandResult {
  if (typeof outcome === "string" || outcome instanceof Uint8Array) return resultOf({ stdout: outcome });
  const { exitCode = 0, stdout = "", stderr = "" } = outcome;
  return { exitCode, stdout: bytesOf(stdout), stderr: bytesOf(stderr) };
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}
