import { VitrineError, type Value } from "../protocol/index.js";

/** The command was called in a way that it does not know. Nothing was done. */
export class CommandUsageError extends VitrineError {
  override readonly name = "CommandUsageError";
  readonly code = "COMMAND_USAGE";
}

/** Why a folder of packages was left as it was, for programs. */
export type WhyNotChanged =
  /** There is no index.json, or not what is asked for in it. */
  | "missing"
  /** Its index.json cannot be read as a list of files. */
  | "index"
  /** A file of that name is there already, and is not the command's own. */
  | "taken"
  /** A source calls a file what no file of a folder can be called, or what sessions would not find. */
  | "name"
  /** Another package of the folder needs it. */
  | "needed"
  /** Files are damaged or missing, so that what packages need is not known. */
  | "damaged";

/** A folder of packages cannot be read, or a change of it makes no sense. Nothing was changed. */
export class PackageFolderError extends VitrineError {
  override readonly name = "PackageFolderError";
  readonly code = "PACKAGE_FOLDER";

  constructor(
    readonly why: WhyNotChanged,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  override details(): Readonly<Record<string, Value>> {
    return { why: this.why };
  }
}

/** Why the cells of a site were not run, for programs. */
export type WhyNotChecked =
  /** Playwright is not installed. */
  | "playwright"
  /** Playwright has no browser of that kind. */
  | "browser"
  /** The browser did not start. */
  | "launch"
  /** The check was interrupted. */
  | "interrupted";

/** The cells of a site were not run, or not all of them. No file was changed that a report does not name. */
export class CheckBrowserError extends VitrineError {
  override readonly name = "CheckBrowserError";
  readonly code = "CHECK_BROWSER";

  constructor(
    readonly why: WhyNotChecked,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  override details(): Readonly<Record<string, Value>> {
    return { why: this.why };
  }
}
