import { pathFault, type PathFault } from "../../storage/index.js";

/** A path within `/workspace`, or what is wrong with the name. */
export type ReadPath =
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "fault"; readonly problem: string };

const WORKSPACE = "/workspace";

/**
 * The folder that names of files are relative to.
 *
 * @param root - as the options say it: `""`, `project`, `/workspace/project`.
 * @returns its path within `/workspace`, empty for `/workspace` itself.
 */
export function readRoot(root: string): ReadPath {
  const inside = withinWorkspace(root);
  if (inside === null) return fault("is not a folder of /workspace");
  const path = joined(inside);
  const problem = path === "" ? null : pathFault(path);
  return problem === null ? { kind: "path", path } : fault(PROBLEMS[problem]);
}

/**
 * The file that a name means.
 *
 * @param root - within `/workspace`, as `readRoot` gives it.
 */
export function readFilePath(name: string, root: string): ReadPath {
  if (name.trim() === "") return fault("must not be blank");
  const inside = withinWorkspace(name);
  if (inside === null) return fault("is not a path within /workspace");
  // Before blanks and dots are dropped: what is dropped must not hide where the name leads.
  const segments = inside.split("/");
  if (segments.includes("..")) return fault(PROBLEMS.traversal);
  if (["", "."].includes(segments.at(-1) ?? "")) return fault("names a folder, not a file");
  const isAbsolute = name.startsWith("/");
  const path = joined(isAbsolute || root === "" ? inside : `${root}/${inside}`);
  if (isAbsolute && root !== "" && !path.startsWith(`${root}/`)) {
    return fault(`is not a path within ${WORKSPACE}/${root}, where this tool writes`);
  }
  const problem = pathFault(path);
  return problem === null ? { kind: "path", path } : fault(PROBLEMS[problem]);
}

/** A path of `/workspace` as its folder `root` sees it. */
export function withinRoot(path: string, root: string): string {
  return root !== "" && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

const PROBLEMS: Readonly<Record<PathFault, string>> = {
  empty: "must not be blank",
  traversal: "leads out of its folder",
  segment: "is not a plain path",
  character: "holds a character that no path may have",
  length: "is longer than a path may be",
};

/** Null for an absolute path of elsewhere. */
function withinWorkspace(name: string): string | null {
  if (!name.startsWith("/")) return name;
  if (name === WORKSPACE) return "";
  return name.startsWith(`${WORKSPACE}/`) ? name.slice(WORKSPACE.length + 1) : null;
}

function joined(path: string): string {
  return path
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .join("/");
}

function fault(problem: string): ReadPath {
  return { kind: "fault", problem };
}
