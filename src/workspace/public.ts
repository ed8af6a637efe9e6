export { WorkspaceConflictError, WorkspaceFullError, WorkspaceNotFoundError, WorkspacePathError } from "./errors.js";
export type {
  Workspace,
  WorkspaceContent,
  WorkspaceEvent,
  WorkspaceFile,
  WorkspaceOptions,
  WorkspaceWriteAllOptions,
  WorkspaceWriteOptions,
} from "./workspace.js";
