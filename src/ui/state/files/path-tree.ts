import type { WorkspaceFile } from "../../../workspace/index.js";

/** A line of the tree as it is drawn. */
export interface TreeRow {
  /** In the workspace, of a folder without a slash at its end. */
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  /** 1 for what lies in `/workspace` itself. */
  readonly level: number;
  /** Where it is among what lies in the same folder, from 1, and how much that is. */
  readonly position: number;
  readonly siblings: number;
  /** The file; null for a folder. */
  readonly file: WorkspaceFile | null;
  /** Files in the folder, and in those within it; 1 for a file. */
  readonly count: number;
  readonly isOpen: boolean;
}

interface Folder {
  readonly path: string;
  readonly folders: Map<string, Folder>;
  readonly files: { readonly name: string; readonly file: WorkspaceFile }[];
  count: number;
}

/** Paths of files as folders in folders. What it costs to make one grows with the files, not with how deep they lie. */
export class PathTree {
  readonly #root = newFolder("");

  /** @param files - in the order of their paths, in which they are shown; folders come before files. */
  constructor(files: readonly WorkspaceFile[]) {
    // The folders of the file before, one in the other: most files lie where that does.
    const within: Folder[] = [this.#root];
    for (const file of files) {
      const { path } = file;
      while ((within.at(-1)?.path.length ?? 0) > 0 && !path.startsWith(`${within.at(-1)?.path ?? ""}/`)) within.pop();
      let folder = within.at(-1) ?? this.#root;
      let start = folder.path === "" ? 0 : folder.path.length + 1;
      for (let end = path.indexOf("/", start); end >= 0; end = path.indexOf("/", start)) {
        folder = folderIn(folder, { name: path.slice(start, end), path: path.slice(0, end) });
        within.push(folder);
        start = end + 1;
      }
      folder.files.push({ name: path.slice(start), file });
    }
    countFiles(this.#root);
  }

  /** What is to be seen where those folders are open: all that is in `/workspace`, and all in folders that are open. */
  rows(open: ReadonlySet<string>): TreeRow[] {
    const rows: TreeRow[] = [];
    // Not by recursion: folders may lie five hundred deep.
    const levels = [rowsIn(this.#root, { level: 1, open })];
    while (levels.length > 0) {
      const next = levels.at(-1)?.next();
      if (next === undefined || next.done === true) {
        levels.pop();
        continue;
      }
      const { row, folder } = next.value;
      rows.push(row);
      if (folder !== undefined && row.isOpen) levels.push(rowsIn(folder, { level: row.level + 1, open }));
    }
    return rows;
  }
}

/** The folders around a path, from the outermost: `a` and `a/b` of `a/b/c`. */
export function foldersAround(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) folders.push(path.slice(0, end));
  return folders;
}

/** Of a row that is a folder, or of the one where a file lies: what a new path beside it begins with. */
export function folderPrefix(row: TreeRow | undefined): string {
  if (row === undefined) return "";
  return row.file === null ? `${row.path}/` : row.path.slice(0, row.path.lastIndexOf("/") + 1);
}

/** The files of a row: itself, or all that lie in the folder. */
export function filesOf(row: TreeRow, files: readonly WorkspaceFile[]): readonly WorkspaceFile[] {
  return row.file === null ? files.filter(({ path }) => path.startsWith(`${row.path}/`)) : [row.file];
}

function newFolder(path: string): Folder {
  return { path, folders: new Map(), files: [], count: 0 };
}

function folderIn(folder: Folder, { name, path }: { readonly name: string; readonly path: string }): Folder {
  const found = folder.folders.get(name);
  if (found !== undefined) return found;
  const made = newFolder(path);
  folder.folders.set(name, made);
  return made;
}

function countFiles(root: Folder): void {
  const all = [root];
  for (const folder of all) all.push(...folder.folders.values());
  // Those within come later in the list, so that they are counted first from its end.
  for (const folder of all.reverse()) {
    folder.count = folder.files.length;
    for (const inner of folder.folders.values()) folder.count += inner.count;
  }
}

function* rowsIn(
  { folders, files }: Folder,
  { level, open }: { readonly level: number; readonly open: ReadonlySet<string> },
): Generator<{ readonly row: TreeRow; readonly folder?: Folder }> {
  const siblings = folders.size + files.length;
  let position = 0;
  for (const [name, folder] of folders) {
    position += 1;
    const { path, count } = folder;
    const isOpen = open.has(path);
    yield { row: { path, name, level, position, siblings, file: null, count, isOpen }, folder };
  }
  for (const { name, file } of files) {
    position += 1;
    const { path } = file;
    yield { row: { path, name, level, position, siblings, file, count: 1, isOpen: false } };
  }
}
