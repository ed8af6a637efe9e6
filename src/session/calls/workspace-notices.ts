import type { Problem } from "../../protocol/index.js";
import type { AppliedChanges } from "../../workspace/index.js";

/** Of one run, and characters of one: code may make any number of files that cannot be kept, with names as long. */
const MOST_NOTICES = 20;
const LONGEST_NOTICE = 500;

/** The first of them, and how many are left out; of a long one its beginning and its end. */
export function fewNotices(notices: readonly string[]): string[] {
  const few = notices.slice(0, MOST_NOTICES).map(shortened);
  const left = notices.length - few.length;
  return left > 0 ? [...few, `There are ${left.toLocaleString("en-US")} more such notices.`] : few;
}

function shortened(text: string): string {
  const half = LONGEST_NOTICE / 2;
  return text.length > LONGEST_NOTICE ? `${text.slice(0, half)}…${text.slice(-half)}` : text;
}

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
