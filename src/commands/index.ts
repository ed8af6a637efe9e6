export * from "./public.js";
export type { CommandCall, CommandHost, CommandResult } from "./command-host.js";
export { commandHosts } from "./command-hosts.js";
export { CommandBrokeError, CommandEndedError, ProgramAddressError } from "./errors.js";
export { pageCommands } from "./page-commands.js";
export { Shell, type CommandFiles, type ShellOptions } from "./shell/shell.js";
export type { CommandFetch, CommandRequest, CommandResponse } from "./shell/shell-worker.js";
