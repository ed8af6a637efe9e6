import { PatchOutsideError } from "./errors.js";

const ROOT = "workspace";

/**
 * The path below `/workspace` that a patch means; empty for that folder itself.
 *
 * @param folder - where relative paths begin, below `/workspace`.
 * @throws {PatchOutsideError}
 */
export function patchPath(written: string, folder: string): string {
  const segments: string[] = [];
  const whole = written.startsWith("/") ? written : `/${ROOT}/${folder}/${written}`;
  for (const segment of whole.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  if (segments[0] !== ROOT) throw new PatchOutsideError(written.slice(0, 200));
  return segments.slice(1).join("/");
}
