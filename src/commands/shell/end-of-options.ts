import type { CommandCall } from "../command-host.js";

/**
 * Commands of the shell that take `--` for the end of their options. Others (`head`, `sort`, `sed`, `awk`, `rg`, `jq` …) refuse
 * it there, or take it for a file.
 */
export const TAKE_END_OF_OPTIONS: ReadonlySet<string> = new Set(
  (
    "cat ls mkdir rmdir touch rm cp mv ln chmod printf readlink wc stat grep fgrep egrep uniq paste tr rev nl fold " +
    "expand unexpand strings split column join tee tree du base64 diff gzip gunzip zcat"
  ).split(" "),
);

/** The arguments of a call, with `--` where the command knows it and needs it. */
export function withEndOfOptions({ command, argv, endOfOptionsAt }: CommandCall): readonly string[] {
  if (endOfOptionsAt === undefined || !TAKE_END_OF_OPTIONS.has(command)) return argv;
  return argv.toSpliced(endOfOptionsAt, 0, "--");
}
