export { CommandNotFoundError } from "./errors.js";
export type { PageCommand, PageCommandContext, PageCommandOutcome } from "./page-commands.js";
