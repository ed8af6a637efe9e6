import { checkArgument, optionCheck } from "../options/index.js";
import { encodeTextInSlices, type TrustLevel } from "../protocol/index.js";
import type { ChangeRecording } from "./changes/change-recording.js";
import type { Entries } from "./changes/stored-changes.js";
import type { ExpectedVersions } from "./expected-versions.js";
import type { FileRecord } from "./file-table.js";

/** What must be so for a file to be written. */
export interface WorkspaceWriteOptions {
  /** The version that the file has now; null where there is none yet. Default: whichever. */
  ifVersion?: string | null;
}

/** What must be so for files to be written. */
export interface WorkspaceWriteAllOptions {
  /**
   * The versions that files have now, by path; null where there is none yet. Files that are not written may be among them.
   * Default: whichever.
   */
  ifVersion?: ReadonlyMap<string, string | null>;
}

const checkWriteOptions = optionCheck<WorkspaceWriteOptions>("workspace.write", { ifVersion: "string|null?" });
const checkWriteAllOptions = optionCheck<WorkspaceWriteAllOptions>("workspace.writeAll", { ifVersion: "any?" });

/** @throws {OptionError} for what cannot be written. */
export function checkWrite(path: unknown, content: unknown, options: WorkspaceWriteOptions): void {
  checkArgument("workspace.write", "path", path, "string");
  if (!ArrayBuffer.isView(content)) checkArgument("workspace.write", "content", content, "string|Uint8Array");
  checkWriteOptions(options);
}

/** @throws {OptionError} for what cannot be written. */
export function checkWriteAll(files: unknown, options: WorkspaceWriteAllOptions): void {
  checkMap("workspace.writeAll", { files }, "string|Uint8Array|null");
  checkWriteAllOptions(options);
  checkMap("workspace.writeAll", { ifVersion: options.ifVersion ?? new Map() }, "string|null");
}

/** @throws {OptionError} for what is no path. */
export function checkMove(paths: unknown): void {
  checkMap("workspace.move", { paths }, "string");
}

/** What the file tools of a session say of a write. */
export interface RunWriteOptions {
  readonly trust: TrustLevel;
  readonly ifVersion: ExpectedVersions;
  readonly recording?: ChangeRecording | undefined;
  /** Beside that, keeps what the files held under this id, as one write that can be undone by itself. */
  readonly recordsChanges?: string | undefined;
}

/** Who writes, and what must be so. */
export interface WriteAllOptions {
  readonly expected: ExpectedVersions;
  /** The level of the session that wrote a file. Default: a person put it there. */
  readonly trustOf?: (path: string) => TrustLevel | undefined;
  readonly recording?: ChangeRecording | undefined;
  readonly recordsChanges?: string | undefined;
  readonly by: "page" | "run";
}

/** How files are stored. */
export interface PutOptions {
  readonly ifUnchanged?: ReadonlyMap<string, Uint8Array | null> | undefined;
  readonly trustOf: (path: string) => TrustLevel | undefined;
  readonly recording?: ChangeRecording | undefined;
  /** Stored in the same write. */
  readonly more?: ((records: ReadonlyMap<string, FileRecord>) => Promise<Entries>) | undefined;
}

/** Looks over a map by path, and over each of its values. */
function checkMap(call: string, map: Readonly<Record<string, unknown>>, kinds: string): void {
  for (const [name, given] of Object.entries(map)) {
    if (!(given instanceof Map)) {
      checkArgument(call, name, given, "Map");
      return;
    }
    for (const [path, value] of given) {
      checkArgument(call, `path in ${name}`, path, "string");
      const option = `${name}[${JSON.stringify(String(path).slice(0, 200))}]`;
      const isBytes = kinds.includes("Uint8Array") && ArrayBuffer.isView(value);
      if (!isBytes) checkArgument(call, option, value, kinds);
    }
  }
}

/** Text as UTF-8. */
export async function encoded(
  files: ReadonlyMap<string, Uint8Array | string | null>,
): Promise<Map<string, Uint8Array | null>> {
  const contents = new Map<string, Uint8Array | null>();
  for (const [path, content] of files) {
    contents.set(path, typeof content === "string" ? await encodeTextInSlices(content) : content);
  }
  return contents;
}
