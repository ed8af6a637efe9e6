export { WorkspaceFullError, WorkspaceNotFoundError, WorkspacePathError } from "./errors.js";
export { Workspace, type WorkspaceEvent, type WorkspaceFile, type WorkspaceOptions } from "./workspace.js";
export { WorkspaceMirror, type AppliedChanges, type WithheldFile, type WorkspaceConflict } from "./workspace-mirror.js";
