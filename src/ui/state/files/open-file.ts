import type { Workspace } from "../../../workspace/index.js";
import { fileText, type FileText } from "./file-text.js";

/** What something else has made of a file while it was edited here. */
export interface OtherVersion {
  /** Null where the file is gone. */
  readonly version: string | null;
  /** Null where there is none that could be shown: it is gone, binary or too large. */
  readonly text: string | null;
}

/** What the editor knows of the changes to a file. */
export interface Draft {
  readonly isChanged: boolean;
  /** As it would be saved. */
  readonly text: () => string;
}

/** A file of the workspace that was opened to be edited. Its changes stay until they are saved or thrown away. */
export class OpenFile {
  path: string;
  /** What was read last, or written. */
  content: FileText = { kind: "text", text: "", lineEnd: "\n" };
  version = "";
  /** Bytes. */
  size = 0;
  /** What there is instead of what is edited; undefined where nothing is in the way. */
  other: OtherVersion | undefined;
  isSaving = false;
  /** How often it was read: after another time the editor shows what came of it. */
  reads = 0;
  #draft: Draft | undefined;

  constructor(path: string) {
    this.path = path;
  }

  get isChanged(): boolean {
    return this.#draft?.isChanged ?? false;
  }

  /** What the editor holds. */
  get text(): string {
    if (this.#draft?.isChanged === true) return this.#draft.text();
    return this.savedText;
  }

  /** What was read or written last. */
  get savedText(): string {
    return this.content.kind === "text" ? this.content.text : "";
  }

  edit(draft: Draft): void {
    this.#draft = draft;
  }

  /** Reads it, over whatever it was changed to. @throws what the workspace throws. */
  async read(workspace: Workspace): Promise<void> {
    const { content: bytes, version } = await workspace.readVersion(this.path);
    this.content = fileText(bytes);
    this.reads += 1;
    this.#draft = undefined;
    this.#settle({ version, size: bytes.byteLength });
  }

  /** That text was written. What was changed since then is changed still. */
  wrote(text: string, written: { readonly version: string; readonly size: number }): void {
    this.content = { kind: "text", text, lineEnd: this.content.kind === "text" ? this.content.lineEnd : "\n" };
    if (this.#draft?.text() === text) this.#draft = undefined;
    this.#settle(written);
  }

  #settle({ version, size }: { readonly version: string; readonly size: number }): void {
    this.version = version;
    this.size = size;
    this.other = undefined;
  }
}
