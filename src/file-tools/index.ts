export * from "./public.js";
export type { CallingSession, SessionFiles } from "./calling-session.js";
export { FileSearch } from "./search/file-search.js";
export { fileTools, type FileToolsOptions } from "./file-tools.js";
export { refusedInOwnWords } from "./refusals.js";
