import { messageOf } from "../../../protocol/index.js";
import type { Session } from "../../../session/index.js";
import { contentForm, type ContentForm } from "../text/content-form.js";

/** A file that the user hands over; a browser's `File` is one. */
export interface GivenFile {
  readonly name: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A file that was handed over, as the transcript shows it. */
export interface FileView {
  /** In the workspace. */
  readonly path: string;
  readonly size: number;
  readonly form: ContentForm;
  /** Whether code finds it there: Python may still be on its way. */
  isThere: boolean;
}

export interface GivenFilesResult {
  /** Paths of those that are in the workspace now. */
  readonly added: readonly string[];
  /** A sentence for each that is not. */
  readonly problems: readonly string[];
}

/**
 * Puts files into the workspace. They are shown at once, which takes no Python.
 *
 * @throws what opening the session throws.
 */
export async function addGivenFiles(
  files: readonly GivenFile[],
  {
    open,
    show,
    hide,
    place,
  }: {
    readonly open: () => Promise<Session>;
    readonly show: (file: FileView) => void;
    readonly hide: (file: FileView) => void;
    readonly place: (file: FileView) => void;
  },
): Promise<GivenFilesResult> {
  const added: string[] = [];
  const problems: string[] = [];
  const read: { readonly view: FileView; readonly bytes: Uint8Array<ArrayBuffer> }[] = [];
  const refuse = (name: string, error: unknown): void => {
    problems.push(`${name} was not added: ${messageOf(error)}`);
  };
  for (const file of files) {
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const path = workspacePath(file.name);
      const view = { path, size: bytes.byteLength, form: contentForm(path, bytes), isThere: false };
      read.push({ view, bytes });
      show(view);
    } catch (error) {
      refuse(file.name, error);
    }
  }
  let session: Session;
  try {
    session = await open();
  } catch (error) {
    for (const { view } of read) hide(view);
    throw error;
  }
  for (const { view, bytes } of read) {
    try {
      await session.workspace.write(view.path, bytes);
      added.push(view.path);
      place(view);
    } catch (error) {
      hide(view);
      refuse(view.path, error);
    }
  }
  return { added, problems };
}

/** The last part of the name, without what no path may hold. */
function workspacePath(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  // oxlint-disable-next-line no-control-regex
  const clean = last.replace(/[\u0000-\u001f\u007f]/g, "").trim();
  return clean === "" || clean === "." || clean === ".." ? "file" : clean;
}
