export * from "./public.js";
export type { FileRecord } from "./file-table.js";
export { Workspace } from "./workspace.js";
export { WorkspaceMirror, type AppliedChanges, type WithheldFile } from "./workspace-mirror.js";
