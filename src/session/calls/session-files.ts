import type { SessionFiles } from "../../file-tools/index.js";
import { WorkspaceNotFoundError, type FileRecord, type Workspace } from "../../workspace/index.js";
import type { CommandWorkspace } from "./command-workspace.js";
import type { ForeignContents } from "./foreign-content.js";

interface SessionFilesParts {
  readonly workspace: Workspace;
  readonly foreign: ForeignContents;
  readonly commandFiles: CommandWorkspace;
}

/** What file tools find: the stored files, without those that are kept from the session's interpreter. */
export function sessionFiles({ workspace, foreign, commandFiles }: SessionFilesParts): SessionFiles {
  const find = async (path: string): Promise<FileRecord | undefined> => {
    const record = await workspace.record(path);
    return record === undefined || foreign.withholds(path, record) ? undefined : record;
  };
  return {
    collect: () => commandFiles.collect(),
    exchange: () => commandFiles.exchange(),
    find,
    list: async () => {
      const records = await workspace.records();
      return new Map([...records].filter(([path, record]) => !foreign.withholds(path, record)));
    },
    read: async (path) => {
      if ((await find(path)) === undefined) throw new WorkspaceNotFoundError(path);
      return workspace.read(path);
    },
  };
}
