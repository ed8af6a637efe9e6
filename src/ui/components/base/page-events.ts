import type { Snippet } from "../../state/console/snippets.js";

/** What elements ask of the page around them. */
export interface PageEvents {
  /** Show the artifact of that name. */
  "vitrine-open-artifact": string;
  /** Show the workspace file of that path. */
  "vitrine-open-file": string;
  /** Edit the workspace file of that path. */
  "vitrine-edit-file": string;
  /** Unpack the zip archive that is the workspace file of that path. */
  "vitrine-unpack-file": string;
  /** Open the settings; `record` is a task to run with the model that is set up there. */
  "vitrine-settings": { readonly record?: string } | undefined;
  /** Show the tasks that are kept. */
  "vitrine-app-saved-tasks": undefined;
  /** Answer the question of that event; null for no answer. */
  "vitrine-answer": { readonly id: string; readonly text: string | null };
  /** Let the user write the next task. */
  "vitrine-write-task": undefined;
  /** Let the user pick files. */
  "vitrine-pick-files": undefined;
  /** Open the console: with cells for what `task` is about, or with those that lie there and `run` running. */
  "vitrine-try-python": { readonly task: string; readonly run?: Snippet };
  /** Let the user add a tool. */
  "vitrine-add-tool": undefined;
  /** Bring a tab of the shelf to the front. */
  "vitrine-tab": string;
}

type Detail<Name extends keyof PageEvents> = undefined extends PageEvents[Name]
  ? [detail?: PageEvents[Name]]
  : [detail: PageEvents[Name]];

export function emit<Name extends keyof PageEvents>(from: EventTarget, name: Name, ...[detail]: Detail<Name>): void {
  from.dispatchEvent(new CustomEvent<unknown>(name, { detail, bubbles: true }));
}

/** Hears what elements below `at` ask for. */
export function on<Name extends keyof PageEvents>(
  at: EventTarget,
  name: Name,
  listener: (detail: PageEvents[Name]) => void,
): void {
  at.addEventListener(name, (event) => {
    listener((event as CustomEvent<PageEvents[Name]>).detail);
  });
}
