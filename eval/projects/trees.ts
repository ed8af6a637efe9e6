/** The files of a folder, by path. */
export type Tree = ReadonlyMap<string, string>;

/** A project's files, told apart by the folder in which they lie. Paths begin with `./`. */
export function treesOf(texts: Readonly<Record<string, string>>): {
  readonly files: Tree;
  /** With their folder, `hidden/`. */
  readonly hidden: Tree;
  readonly diffs: Tree;
} {
  const paths = Object.entries(texts).map(([path, text]) => [path.replace(/^\.\//, ""), text] as const);
  const below = (folder: string): [string, string][] =>
    paths.flatMap(([path, text]) => (path.startsWith(folder) ? [[path.slice(folder.length), text]] : []));
  return {
    files: new Map(below("tree/")),
    hidden: new Map(below("hidden/").map(([path, text]) => [`hidden/${path}`, text])),
    diffs: new Map(paths.filter(([path]) => path.endsWith(".diff"))),
  };
}

/** A workspace, as far as it is read. */
interface Files {
  readonly list: () => Promise<readonly { readonly path: string }[]>;
  readonly read: (path: string) => Promise<Uint8Array>;
}

/** All files but those that Python leaves behind when it runs. */
export async function readTree(workspace: Files): Promise<Tree> {
  const files = new Map<string, string>();
  for (const { path } of await workspace.list()) {
    if (/(?:^|\/)__pycache__\//.test(path)) continue;
    files.set(path, new TextDecoder().decode(await workspace.read(path)));
  }
  return files;
}
