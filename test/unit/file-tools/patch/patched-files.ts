import { applyPatch, type AppliedPatch, type PatchFiles } from "../../../../src/file-tools/patch/index.js";
import { memoryStorage } from "../../../../src/storage/index.js";
import { Workspace, WorkspaceNotFoundError } from "../../../../src/workspace/index.js";

export type FilesByPath = Readonly<Record<string, string>>;

/** A workspace with these files, and what patches do to it. */
export class PatchedFiles {
  readonly workspace = new Workspace(memoryStorage());
  /** Called just before a patch is written. */
  beforeWrite: () => Promise<void> = () => Promise.resolve();

  static async of(files: FilesByPath): Promise<PatchedFiles> {
    const patched = new PatchedFiles();
    await patched.workspace.writeAll(new Map(Object.entries(files)));
    return patched;
  }

  apply(patch: string, options?: { folder?: string }): Promise<AppliedPatch> {
    return applyPatch(patch, this.#files(), options);
  }

  async all(): Promise<FilesByPath> {
    const files: Record<string, string> = {};
    for (const { path } of await this.workspace.list()) {
      files[path] = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await this.workspace.read(path));
    }
    return files;
  }

  #files(): PatchFiles {
    const { workspace } = this;
    return {
      find: async (path) => {
        const files = await workspace.list();
        if (files.some((file) => file.path.startsWith(`${path}/`))) return "folder";
        return files.find((file) => file.path === path);
      },
      read: async (path) => {
        try {
          return await workspace.readVersion(path);
        } catch (error) {
          if (error instanceof WorkspaceNotFoundError) return undefined;
          throw error;
        }
      },
      writeAll: async (files, ifVersion) => {
        await this.beforeWrite();
        await workspace.writeAll(files, { ifVersion });
      },
    };
  }
}

/** A patch of these lines. */
export function patchOf(...lines: readonly string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

/** What the files are after a patch, and what it answers; or its error, with the files as they are then. */
export async function patched(
  before: FilesByPath,
  ...lines: readonly string[]
): Promise<{ readonly files: FilesByPath; readonly text?: string; readonly error?: unknown }> {
  const files = await PatchedFiles.of(before);
  try {
    const { text } = await files.apply(patchOf(...lines));
    return { files: await files.all(), text };
  } catch (error) {
    return { files: await files.all(), error };
  }
}
