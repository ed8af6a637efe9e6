import { type CommandHost, type CommandResult } from "../../commands/index.js";
import { messageOf, VitrineError, type Value } from "../../protocol/index.js";
import { CallDeadline } from "../requests/call-deadline.js";
import type { Tool, ToolAdapter, ToolContext, ToolParameter } from "../definition.js";
import { ToolCallError, ToolCancelledError, ToolTimeoutError, UnknownCallableError } from "../errors.js";
import type { CliToolFile } from "./cli-file.js";
import { commandLine } from "./command-line.js";

type Arguments = Readonly<Record<string, Value>>;

/** A tool whose recipes are ways to call one command. Its result is what the command writes to standard output. */
export function cliTool(file: CliToolFile, commands: CommandHost): ToolAdapter {
  return new CliTool(file, commands);
}

class CliTool implements ToolAdapter {
  readonly tool: Tool;
  readonly #file: CliToolFile;
  readonly #commands: CommandHost;

  constructor(file: CliToolFile, commands: CommandHost) {
    this.#file = file;
    this.#commands = commands;
    const { name, description, tags, timeout, hints, recipes } = file;
    this.tool = {
      name,
      description,
      tags,
      timeout,
      hints,
      callables: recipes.map(({ name, description, parameters, hints }) => ({ name, description, parameters, hints })),
    };
  }

  validate(callable: string | null, args: Arguments): Arguments {
    commandLine(this.#file, this.#accepted(callable), args);
    return args;
  }

  async call(callable: string | null, args: Arguments, context: ToolContext): Promise<Value> {
    const { name, command, env, timeout } = this.#file;
    // Middleware may have changed what was validated.
    const line = commandLine(this.#file, this.#accepted(callable), args);
    const deadline = new CallDeadline(context.signal, timeout);
    const { signal } = deadline;
    try {
      const result = await deadline.race(() => this.#commands.run({ command, ...line, env, signal }));
      return outputOf(name, args, result);
    } catch (error) {
      if (context.signal.aborted) throw new ToolCancelledError(name);
      if (deadline.expired) throw new ToolTimeoutError(name, timeout);
      throw failureOf(name, args, error);
    } finally {
      deadline.end();
    }
  }

  /** Without a recipe, which is the escape hatch, everything that the schema knows. */
  #accepted(callable: string | null): readonly ToolParameter[] {
    const { name, recipes, accepted } = this.#file;
    const recipe = recipes.find((candidate) => candidate.name === (callable ?? name));
    if (recipe !== undefined) return recipe.accepted;
    if (callable === null) return accepted;
    throw new UnknownCallableError(
      name,
      callable,
      recipes.map((each) => each.name),
    );
  }
}

/** Text; bytes where it is none. @throws {ToolCallError} when the exit code says that the command failed. */
function outputOf(toolName: string, args: Arguments, { exitCode, stdout, stderr }: CommandResult): Value {
  const output = textOrBytes(stdout);
  if (exitCode === 0) return output;
  const complaint = new TextDecoder().decode(stderr);
  const reason = `Command failed: ${complaint.trim() === "" ? `Exit code ${String(exitCode)}` : complaint}`;
  const details = { exit_code: exitCode, stdout: output, stderr: complaint };
  throw new ToolCallError(toolName, reason, { args, details });
}

/** What a host throws that is no failure of a command: there is no such command, or the command itself broke. */
function failureOf(toolName: string, args: Arguments, error: unknown): ToolCallError {
  if (error instanceof ToolCallError) return error;
  const details = error instanceof VitrineError ? error.details() : {};
  return new ToolCallError(toolName, messageOf(error), {
    args,
    cause: error,
    details,
  });
}

function textOrBytes(bytes: Uint8Array): Value {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
}
