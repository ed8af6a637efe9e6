import type { UnstoredEntry } from "../../../src/executor/index.js";
import { fileTools, FileSearch, type CallingSession } from "../../../src/file-tools/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import type { Value } from "../../../src/protocol/index.js";
import { Workspace } from "../../../src/workspace/index.js";
import { loneContext } from "../../lone-calls/lone-call.js";

export interface ToolsOnFiles {
  readonly workspace: Workspace;
  readonly call: (name: string, args: Readonly<Record<string, Value>>) => Promise<string>;
}

/** The file tools on a workspace without a session: for what they answer, not for whom they answer. */
export async function toolsOnFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  unstored: readonly UnstoredEntry[] = [],
): Promise<ToolsOnFiles> {
  const workspace = new Workspace(memoryStorage());
  for (const [path, content] of Object.entries(files)) await workspace.write(path, content);
  const session: CallingSession = {
    files: {
      collect: () => Promise.resolve(unstored),
      exchange: () => Promise.resolve(),
      find: (path) => workspace.record(path),
      list: () => workspace.records(),
      read: (path) => workspace.read(path),
      readVersion: (path) => workspace.readVersion(path),
      writeAll: async (changed, ifVersion) => {
        await workspace.writeForRun(changed, { trust: "sandboxed", ifVersion });
      },
    },
    showPicture: () => false,
    search: new FileSearch(noHost),
    shell: undefined,
  };
  const adapters = new Map(fileTools({ sessionOf: () => session }).map((adapter) => [adapter.tool.name, adapter]));
  const call: ToolsOnFiles["call"] = async (name, args) => {
    const adapter = adapters.get(name);
    if (adapter === undefined) throw new TypeError(`There is no file tool ${name}.`);
    const answer = await adapter.call(name, args, loneContext());
    if (typeof answer !== "string") throw new TypeError(`${name} answered with no text.`);
    return answer;
  };
  return { workspace, call };
}

const noHost: ConstructorParameters<typeof FileSearch>[0] = {
  kind: "page",
  baseURL: "http://localhost/",
  spawn: () => Promise.reject(new Error("There are no workers here.")),
};
