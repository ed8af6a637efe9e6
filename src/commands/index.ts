export { type CommandCall, type CommandHost, type CommandResult } from "./command-host.js";
export { commandHosts } from "./command-hosts.js";
export { CommandBrokeError, CommandEndedError, CommandNotFoundError, ProgramAddressError } from "./errors.js";
export { pageCommands, type PageCommand, type PageCommandContext, type PageCommandOutcome } from "./page-commands.js";
export { Shell, type CommandFiles, type ShellOptions } from "./shell/shell.js";
export { type CommandFetch, type CommandRequest, type CommandResponse } from "./shell/shell-worker.js";
