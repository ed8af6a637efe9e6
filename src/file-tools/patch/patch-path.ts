import { plainPath, ROOT } from "../workspace-path.js";
import { PatchOutsideError } from "./errors.js";

/**
 * The path below `/workspace` that a patch means; empty for that folder itself.
 *
 * @param folder - where relative paths begin, below `/workspace`.
 * @throws {PatchOutsideError}
 */
export function patchPath(written: string, folder: string): string {
  const path = plainPath(written.startsWith("/") ? written : `${ROOT}/${folder}/${written}`);
  if (path !== ROOT && !path.startsWith(`${ROOT}/`)) throw new PatchOutsideError(written.slice(0, 200));
  return path.slice(ROOT.length + 1);
}
