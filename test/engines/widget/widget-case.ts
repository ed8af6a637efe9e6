import type { EnginePage } from "../drivers/index.js";
import type { DrivenCell } from "./cell.js";
import type { ScriptFailure, WidgetSite } from "./site.js";

/** A page of the site, as an engine shows it. */
export interface Visit {
  readonly page: EnginePage;
  readonly site: WidgetSite;
  readonly cell: (id: string) => DrivenCell;
}

/** What cells of the built widget do, tried by the engine's own driver. */
export interface WidgetCase {
  readonly title: string;
  /** The page that it is tried on, without `.html`. Cases that follow each other share it where they are neither of the next two. */
  readonly on: string;
  /** The Content Security Policy of that page, which is opened for this case alone. */
  readonly policy?: (origin: string) => Promise<string> | string;
  /** Scripts of the library that do not come, from when the page is open. It is opened for this case alone. */
  readonly failing?: { readonly script: string; readonly how: ScriptFailure };
  /** @returns what is not as it must be. */
  readonly run: (visit: Visit) => Promise<readonly string[]>;
}
