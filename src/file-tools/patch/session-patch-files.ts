import type { SessionFiles } from "../calling-session.js";
import type { PatchFiles } from "./patch-files.js";

/** The files of a session for one patch. What is listed is listed once: it is only asked for what is not there as a file. */
export function sessionPatchFiles(files: SessionFiles): PatchFiles {
  let folders: Promise<ReadonlySet<string>> | undefined;
  return {
    find: async (path) => {
      const record = await files.find(path);
      if (record !== undefined) return record;
      folders ??= foldersIn(files);
      return (await folders).has(path) ? "folder" : undefined;
    },
    read: (path) => files.readVersion(path),
    writeAll: (changed, ifVersion) => files.writeAll(changed, ifVersion),
  };
}

async function foldersIn(files: SessionFiles): Promise<ReadonlySet<string>> {
  const folders = new Set<string>();
  for (const path of (await files.list()).keys()) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      // Those around it are known then, too.
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
