import type { Command } from "just-bash/browser";
import { z } from "zod";

import { binaryText, bytesOfBinaryText } from "./bytes.js";
import type { RunSqlite } from "./sqlite/sqlite-script.js";

// Taken before any command runs: afterwards nothing of this worker is to load a script.
const importScript = self.importScripts.bind(self);
Object.defineProperty(self, "importScripts", { value: undefined });

/** What the shell's opaque bytes are made of; its build for browsers exports no way to them. */
const BinaryText = z.string();

/** The `sqlite3` command. SQLite itself comes with its first use. */
export function sqliteCommand(script: () => Promise<string>): Command["execute"] {
  let loading: Promise<RunSqlite> | undefined;
  return async (args, { fs, cwd, stdin }) => {
    loading ??= script().then(load);
    // A script that the page could not load may be there the next time.
    loading.catch(() => (loading = undefined));
    const runSqlite = await loading;
    const pathOf = (name: string): string => fs.resolvePath(cwd, name);
    const { stdout, stderr, exitCode } = await runSqlite(args, {
      stdin: new TextDecoder().decode(bytesOfBinaryText(BinaryText.parse(stdin))),
      read: async (name) => ((await fs.exists(pathOf(name))) ? await fs.readFileBuffer(pathOf(name)) : undefined),
      write: (name, content) => fs.writeFile(pathOf(name), content),
    });
    return { stdout: binaryText(stdout), stdoutKind: "bytes", stderr, exitCode };
  };
}

function load(source: string): RunSqlite {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    importScript(url);
  } finally {
    URL.revokeObjectURL(url);
  }
  return vitrineSqlite;
}
