import type { OpenFiles } from "../../state/files/open-files.js";

const watched = new WeakSet<OpenFiles>();

/** Has the browser ask before the page is left while files have changes that are not saved. */
export function warnsOfLoss(files: OpenFiles): void {
  if (watched.has(files)) return;
  watched.add(files);
  const ask = (event: Event): void => {
    event.preventDefault();
  };
  // While it listens, some browsers keep the page out of their cache for going back.
  files.onChange(() => {
    if (files.unsaved.size > 0) addEventListener("beforeunload", ask);
    else removeEventListener("beforeunload", ask);
  });
}
