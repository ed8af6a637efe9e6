import type { SessionFiles } from "../../file-tools/index.js";
import type { UsedSecrets } from "../../secrets/index.js";
import type { StorageBackend } from "../../storage/index.js";
import type { TextInterpreter, WritingFiles, WritingSession } from "../../write-code/index.js";
import type { SessionWorkspace } from "./foreign-content.js";

interface WritingSessionParts extends SessionWorkspace {
  /** What other tools find. */
  readonly files: SessionFiles;
  readonly storage: StorageBackend;
  readonly secrets: UsedSecrets;
  readonly interpreter: () => Promise<TextInterpreter>;
}

/** What a tool that writes code finds of the session that makes the call. */
export function writingSession({ storage, secrets, interpreter, ...parts }: WritingSessionParts): WritingSession {
  return {
    files: writingFiles(parts),
    storage,
    interpreter,
    // What was asked for once is struck from then on.
    knowSecrets: async () => {
      await Promise.all((await secrets.names()).map((name) => secrets.get(name)));
    },
    strike: (text) => secrets.strikeText(text),
  };
}

/** Writes are those of the session, kept by its recording, and one of their own beside it. */
function writingFiles({
  files,
  workspace,
  trust,
  recording,
}: Omit<WritingSessionParts, "storage" | "secrets" | "interpreter">): WritingFiles {
  return {
    collect: () => files.collect(),
    exchange: () => files.exchange(),
    paths: async () => [...(await files.list()).keys()],
    readVersion: (path) => files.readVersion(path),
    writeAll: async (contents, { ifVersion, recordsChanges }) => {
      const written = await workspace.writeForRun(contents, { trust, ifVersion, recording, recordsChanges });
      return new Map(written.map(({ path, version }) => [path, version]));
    },
  };
}
