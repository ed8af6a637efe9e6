export * from "./public.js";
export { Workspace } from "./workspace.js";
export { WorkspaceMirror, type AppliedChanges, type WithheldFile } from "./workspace-mirror.js";
