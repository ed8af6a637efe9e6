export { WorkspaceFullError, WorkspaceNotFoundError, WorkspacePathError } from "./errors.js";
export type { Workspace, WorkspaceEvent, WorkspaceFile, WorkspaceOptions } from "./workspace.js";
