/** One start of a command, with all that it gets. */
export interface CommandCall {
  readonly command: string;
  /** Handed over one by one: no shell reads them. */
  readonly argv: readonly string[];
  /** Where in `argv` a command that takes `--` needs it, since what follows begins with `-` and is no option. */
  readonly endOfOptionsAt?: number;
  readonly stdin: Uint8Array<ArrayBuffer>;
  readonly env: ReadonlyMap<string, string>;
  /** The folder that a command of the shell runs in. Default: `/workspace`. */
  readonly cwd?: string;
  /** Whether a command of the shell writes standard error to standard output, in order. Default: false. */
  readonly isMerged?: boolean;
  /** Called when the command begins: what came before it, a start of the shell for instance, took time of its own. */
  readonly onBegin?: () => void;
  /** Aborted when the call is given up; the command must end then. */
  readonly signal: AbortSignal;
}

/** How a command ended. */
export interface CommandResult {
  /** 0 for success. */
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** Where commands run: a page has no programs, so it is told what stands for them. */
export interface CommandHost {
  /** @throws {CommandNotFoundError} when there is no such command. What else it throws is the failure of the call. */
  run(call: CommandCall): Promise<CommandResult>;
}
