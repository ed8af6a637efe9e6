/** Why a name cannot be a path inside a store. */
export type PathFault = "empty" | "traversal" | "segment" | "character" | "length";

/** In UTF-16 code units. */
const MAX_LENGTH = 1024;

/**
 * Names of artifacts and of workspace files are relative paths with `/`: they
 * become files in Python and in downloads, so whatever could lead out of a
 * folder there is refused here.
 *
 * @returns null when `path` is fine.
 */
export function pathFault(path: string): PathFault | null {
  if (path.trim() === "") return "empty";
  if (path.length > MAX_LENGTH) return "length";
  const segments = path.split("/");
  if (path.startsWith("/") || segments.includes("..")) return "traversal";
  // Backslashes are separators where a download may be unpacked; what turns the reading direction shows another name.
  if (/[\p{Cc}\p{Bidi_Control}\\]/u.test(path) || !path.isWellFormed()) return "character";
  if (segments.includes("") || segments.includes(".")) return "segment";
  return null;
}

/**
 * The path among `taken` that cannot lie in one folder with `path`, because one
 * of the two would have to be a file and a folder at once.
 */
export function findClash(path: string, taken: Iterable<string>): string | undefined {
  for (const other of taken) {
    if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) return other;
  }
  return undefined;
}
