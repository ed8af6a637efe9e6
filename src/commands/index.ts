export { type CommandCall, type CommandHost, type CommandResult } from "./command-host.js";
export { CommandNotFoundError } from "./errors.js";
export { pageCommands, type PageCommand, type PageCommandContext, type PageCommandOutcome } from "./page-commands.js";
