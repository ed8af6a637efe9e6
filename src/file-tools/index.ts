export * from "./public.js";
export type { CallingSession, SessionFiles } from "./calling-session.js";
export { fileTools, type FileToolsOptions } from "./file-tools.js";
