/** The list that sessions read. */
export const INDEX = "index.json";

/** The notice of licences. */
export const NOTICE = "LICENSES.md";

/** Folder of what an `add` has fetched and not put in place yet. */
export const UNFINISHED = ".unfinished";

/** Names of wheels (PEP 427) and of Pyodide's shared libraries; nothing that a file system could read as a path. */
const PACKAGE_FILE = /^[a-z0-9][\w.+!-]{0,250}\.(?:whl|zip)$/i;

/** Whether a file that a server names so may be written into the folder. */
export function isPackageFile(name: string): boolean {
  return PACKAGE_FILE.test(name);
}

/** Whether a name is one of a file in the folder itself, and nothing that leads elsewhere. */
export function isInFolder(name: string): boolean {
  return /^[^/\\:\0]+$/.test(name) && name !== "." && name !== "..";
}
