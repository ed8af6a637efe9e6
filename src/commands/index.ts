export * from "./public.js";
export type { CommandCall, CommandHost, CommandResult } from "./command-host.js";
export { commandHosts } from "./command-hosts.js";
export { ProgramAddressError } from "./errors.js";
export { pageCommands } from "./page-commands.js";
export { Shell, type CommandFiles } from "./shell/shell.js";
export type { CommandFetch, CommandRequest } from "./shell/shell-worker.js";
