import type { UnstoredEntry } from "../executor/index.js";
import { Slices } from "../protocol/index.js";
import type { SchemaOutput } from "../tools/index.js";
import type { CallingSession } from "./calling-session.js";
import type { LIST_DIR } from "./parameters.js";
import { workspacePath } from "./workspace-path.js";

/** Bytes of a name that are shown. */
const LONGEST_NAME = 500;

interface Entry {
  /** From the folder that is listed. */
  readonly names: readonly string[];
  /** `/` of a folder, `@` of a link, `?` of what is neither. */
  readonly mark: string;
  /** Why a folder cannot be looked into. */
  readonly note?: string;
}

/**
 * The entries of a folder, two spaces a level.
 *
 * @throws {Error} with the protocol's texts. @throws {WorkspacePathError}
 */
export async function listDir(input: SchemaOutput<typeof LIST_DIR>, { files }: CallingSession): Promise<string> {
  const { dir_path, offset, limit, depth } = input;
  const path = workspacePath(dir_path, "dir_path");
  if (offset < 1) throw new Error("offset must be a 1-indexed entry number");
  if (limit < 1) throw new Error("limit must be greater than zero");
  if (depth < 1) throw new Error("depth must be greater than zero");
  const unstored = await files.collect();
  const records = await files.list();
  const tree = await treeOf(records.keys(), unstored);
  if (!tree.has(path)) throw new Error(`failed to read directory: ${whyNot(tree, path)}`);
  const entries = await entriesBelow(path, { tree, depth });
  const header = `Absolute path: /workspace${path === "" ? "" : `/${path}`}`;
  if (entries.length === 0) return header;
  if (offset > entries.length) throw new Error("offset exceeds directory entry count");
  const shown = entries.slice(offset - 1, offset - 1 + limit);
  const lines = shown.sort(byPath).map(lineOf);
  const isRest = entries.length > offset - 1 + shown.length;
  return [header, ...lines, ...(isRest ? [`More than ${String(shown.length)} entries found`] : [])].join("\n");
}

function whyNot(tree: ReadonlyMap<string, Folder>, path: string): string {
  const cut = path.lastIndexOf("/");
  const isThere = tree.get(path.slice(0, Math.max(0, cut)))?.has(path.slice(cut + 1)) === true;
  return isThere ? "Not a directory (os error 20)" : "No such file or directory (os error 2)";
}

/** Folder by folder, those of the first level first; sorted by name in each. */
async function entriesBelow(
  path: string,
  { tree, depth }: { readonly tree: ReadonlyMap<string, Folder>; readonly depth: number },
): Promise<Entry[]> {
  const slices = new Slices();
  const entries: Entry[] = [];
  let level: (readonly string[])[] = [[]];
  for (let at = 1; at <= depth && level.length > 0; at += 1) {
    const next: (readonly string[])[] = [];
    for (const names of level) {
      const folder = tree.get([...(path === "" ? [] : [path]), ...names].join("/"));
      for (const [name, kind] of [...(folder ?? [])].sort(([one], [other]) => compare(one, other))) {
        entries.push({ names: [...names, name], ...kind });
        if (kind.mark === "/") next.push([...names, name]);
      }
      await slices.rest();
    }
    level = next;
  }
  return entries;
}

type Folder = ReadonlyMap<string, Omit<Entry, "names">>;

/** What is in each folder, by the path of the folder. */
async function treeOf(
  paths: Iterable<string>,
  unstored: readonly UnstoredEntry[],
): Promise<ReadonlyMap<string, Folder>> {
  const slices = new Slices();
  const tree = new Map<string, Map<string, Omit<Entry, "names">>>([["", new Map()]]);
  const put = (path: string, kind: Omit<Entry, "names">): void => {
    const cut = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(0, cut));
    const known = tree.get(folder);
    if (known === undefined) {
      put(folder, { mark: "/" });
      tree.set(folder, new Map([[path.slice(cut + 1), kind]]));
    } else known.set(path.slice(cut + 1), kind);
  };
  for (const path of paths) {
    put(path, { mark: "" });
    await slices.rest();
  }
  for (const { path, kind, note } of unstored) {
    put(path, { mark: MARKS[kind], ...(note === undefined ? {} : { note }) });
    if (kind === "folder" && !tree.has(path)) tree.set(path, new Map());
  }
  return tree;
}

const MARKS = { folder: "/", link: "@", other: "?" } as const;

function lineOf({ names, mark, note }: Entry): string {
  const name = cutToBytes(names.at(-1) ?? "");
  return `${"  ".repeat(names.length - 1)}${name}${mark}${note === undefined ? "" : ` (${note})`}`;
}

function cutToBytes(name: string): string {
  const { read } = new TextEncoder().encodeInto(name, new Uint8Array(LONGEST_NAME));
  return name.slice(0, read);
}

function byPath({ names: one }: Entry, { names: other }: Entry): number {
  for (const [index, name] of one.entries()) {
    const beside = other[index];
    if (beside === undefined) return 1;
    if (name !== beside) return compare(name, beside);
  }
  return one.length - other.length;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
