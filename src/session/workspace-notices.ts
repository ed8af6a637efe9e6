import type { Problem } from "../protocol/index.js";
import type { AppliedChanges } from "../workspace/index.js";

/** What a person should know of files that code wrote and that were stored. */
export function noticesOf({ conflicts, problems }: AppliedChanges): string[] {
  return [
    ...conflicts.map(({ path, keptAs }) =>
      keptAs === null
        ? `${path} was deleted by the code and changed on the page meanwhile; it was kept.`
        : `${path} was changed on the page while the code ran; the code's version is in ${keptAs}.`,
    ),
    ...problems.map(({ file, message }: Problem) => `${file} was not kept: ${message}`),
  ];
}

/** Of files that could not be read or written in the interpreter. */
export function refusalsOf(problems: readonly { readonly path: string; readonly reason: string }[]): string[] {
  return problems.map(({ path, reason }) => `${path} was left out: ${reason}`);
}
