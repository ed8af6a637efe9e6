export * from "./public.js";
export { Workspace } from "./workspace.js";
export { WorkspaceMirror, type AppliedChanges, type WithheldFile, type WorkspaceConflict } from "./workspace-mirror.js";
