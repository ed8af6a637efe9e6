import { messageOf } from "../../protocol/index.js";
import type { BatchResult } from "../outcome/batch-result.js";
import type { WriteCodeOptions } from "../write-code-options.js";
import { languageName } from "./language-name.js";

type DisplayCommand = "generate_images" | "generate_image" | "generate_code" | "write_file" | "write_codebase";

interface DisplayMessage {
  readonly command: DisplayCommand;
  readonly files: readonly string[];
  /** What came of it; null for what begins. */
  readonly result: string | null;
  readonly error?: string | null;
  readonly extra?: readonly string[];
}

/** Names of files that a line shows; of more only the first, and how many others there are. */
const MOST_NAMES = 3;

/** Shows a person what is done, line by line, as a console would. What the page throws meanwhile is a warning and no more. */
export class BatchDisplay {
  readonly #display: WriteCodeOptions["display"];
  readonly #warn: (message: string) => void;
  #hasFailed = false;
  #isOver = false;

  constructor(display: WriteCodeOptions["display"], warn: (message: string) => void) {
    this.#display = display;
    this.#warn = warn;
  }

  beginImages(files: readonly string[]): void {
    this.#show({ command: "generate_images", files, result: `Generating ${counted(files.length, "image")}…` });
  }

  imageEnded(file: string, error: string | null): void {
    this.#show({ command: "generate_image", files: [file], result: "Image generated.", error });
  }

  beginCode(files: readonly string[]): void {
    this.#show({ command: "generate_code", files, result: `Generating ${counted(files.length, "file")}…` });
  }

  fileEnded(file: string, written: { readonly code: string } | { readonly error: string }): void {
    if ("error" in written) {
      this.#show({ command: "write_file", files: [file], result: null, error: written.error });
      return;
    }
    const language = languageName(file);
    const extra = [`Path: ${file}`, `Size: ${String(written.code.length)} characters`];
    this.#show({
      command: "write_file",
      files: [file],
      result: "File written.",
      extra: language === "" ? extra : [...extra, `Language: ${language}`],
    });
  }

  batchEnded(files: readonly string[], { message, status }: BatchResult): void {
    const error = status === "error" ? message : null;
    this.#show({ command: "write_codebase", files, result: message, error });
    this.#isOver = true;
  }

  #show({ command, files, result, error = null, extra = [] }: DisplayMessage): void {
    if (this.#display === undefined) return;
    const lines = [`$ write_code ${command} ${shownNames(files)}`.trimEnd()];
    if (error !== null) lines.push(`Error: ${error}`);
    else if (result !== null) lines.push(result);
    const fence = "```";
    const failed = (failure: unknown): void => {
      // A page that cannot show one message can show none: one warning says so.
      if (!this.#hasFailed && !this.#isOver) this.#warn(`The display of the page failed: ${messageOf(failure)}`);
      this.#hasFailed = true;
    };
    try {
      const shown = this.#display.addMessage("assistant", [`${fence}console`, ...lines, ...extra, fence].join("\n"));
      shown?.catch(failed);
    } catch (failure) {
      failed(failure);
    }
  }
}

function shownNames(files: readonly string[]): string {
  const [first = ""] = files;
  return files.length <= MOST_NAMES ? files.join(" ") : `${first} ... +${String(files.length - 1)} more`;
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}
