import { messageOf } from "../../../src/protocol/index.js";
import { openDatabase, type OpenDatabase } from "./open-database.js";
import { parseCommandLine } from "./sqlite-arguments.js";
import { SqliteShell } from "./sqlite-shell.js";

export interface SqliteFiles {
  readonly stdin: string;
  /** Undefined when there is no such file. */
  read(name: string): Promise<Uint8Array | undefined>;
  write(name: string, content: Uint8Array): Promise<void>;
}

export interface SqliteResult {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}

export type RunSqlite = (args: readonly string[], files: SqliteFiles) => Promise<SqliteResult>;

declare global {
  /** What this script leaves behind for who loaded it. */
  var vitrineSqlite: RunSqlite;
}

/** The `sqlite3` command: a database is read whole, worked on in memory, and written back when it changed. */
self.vitrineSqlite = async (args, files) => {
  try {
    const line = parseCommandLine(args);
    if (line.wantsVersion) return succeeded(`${(await openDatabase(undefined)).version}\n`);
    const content = line.database === undefined ? undefined : await files.read(line.database);
    const database = await openDatabase(content);
    try {
      const shell = new SqliteShell(database, line, files);
      const failure = await shell.run(files.stdin);
      await keep(database, { name: line.isReadOnly ? undefined : line.database, files });
      return { ...succeeded(shell.output), exitCode: failure === "" ? 0 : 1, stderr: failure };
    } finally {
      database.close();
    }
  } catch (error) {
    return { exitCode: 1, stdout: new Uint8Array(), stderr: `Error: ${messageOf(error)}\n` };
  }
};

async function keep(
  database: OpenDatabase,
  { name, files }: { readonly name: string | undefined; readonly files: SqliteFiles },
): Promise<void> {
  const changed = database.changed();
  if (name === undefined || changed === undefined) return;
  await files.write(name, changed);
}

function succeeded(output: string): SqliteResult {
  return { exitCode: 0, stdout: new TextEncoder().encode(output), stderr: "" };
}
