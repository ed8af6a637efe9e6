import { WorkspacePathError } from "../workspace/index.js";

/** Where the files of a session are, for its code and for those who call its tools. */
export const ROOT = "/workspace";

/**
 * The path below `/workspace`, empty for the folder itself.
 *
 * @param parameter - named where the path is not absolute.
 * @throws {Error} with the protocol's text for a relative path.
 * @throws {WorkspacePathError} for a path that leads out.
 */
export function workspacePath(given: string, parameter: string): string {
  if (!given.startsWith("/")) throw new Error(`${parameter} must be an absolute path`);
  return resolvedPath(given);
}

/**
 * The same, where a relative path is one below `/workspace`.
 *
 * @throws {WorkspacePathError} for a path that leads out.
 */
export function resolvedPath(given: string): string {
  const path = plainPath(given.startsWith("/") ? given : `${ROOT}/${given}`);
  if (path === ROOT) return "";
  if (path.startsWith(`${ROOT}/`)) return path.slice(ROOT.length + 1);
  throw new WorkspacePathError(given, `the path leads out of ${ROOT}, and the files of a session are there`);
}

/** Without empty segments, `.` and `..`. */
export function plainPath(given: string): string {
  const segments: string[] = [];
  for (const segment of given.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

/** Whether there are files below the path. */
export function isFolder(files: ReadonlyMap<string, unknown>, path: string): boolean {
  if (path === "") return true;
  for (const name of files.keys()) if (name.startsWith(`${path}/`)) return true;
  return false;
}
