export type { ChangedFile, FileVersions, WorkspaceChanges } from "./changes/workspace-changes.js";
export { WorkspaceConflictError, WorkspaceFullError, WorkspaceNotFoundError, WorkspacePathError } from "./errors.js";
export type { WorkspaceFile } from "./file-entries.js";
export type { Workspace, WorkspaceContent, WorkspaceEvent, WorkspaceOptions } from "./workspace.js";
export type { WorkspaceWriteAllOptions, WorkspaceWriteOptions } from "./write-options.js";
