import { isBarePatch } from "./parse-patch.js";

/** A command that is not run, because it is a patch. */
export type PatchCommand =
  | {
      readonly kind: "patch";
      readonly patch: string;
      /** The folder that the command goes to first; null where it stays. */
      readonly folder: string | null;
    }
  /** A patch in the place of a command. */
  | { readonly kind: "bare" };

/** What to say of a bare patch. */
export const BARE_PATCH = 'patch detected without explicit call to apply_patch. Rerun as ["apply_patch", "<patch>"]';

const COMMANDS: readonly string[] = ["apply_patch", "applypatch"];

/** Flags before a script, by shell. */
const SHELLS: ReadonlyMap<string, readonly string[]> = new Map([
  ["bash", ["-lc", "-c"]],
  ["zsh", ["-lc", "-c"]],
  ["sh", ["-lc", "-c"]],
  ["pwsh", ["-command"]],
  ["powershell", ["-command"]],
  ["cmd", ["/c"]],
]);

/** Whether a command line is a patch. Null for a command that is to be run. */
export function patchInCommand(command: readonly string[]): PatchCommand | null {
  const [first = "", second] = command;
  if (command.length === 1) return isBarePatch(first) ? { kind: "bare" } : null;
  if (command.length === 2 && second !== undefined && COMMANDS.includes(first)) {
    return { kind: "patch", patch: second, folder: null };
  }
  const script = scriptOf(command);
  return script === null ? null : patchInScript(script);
}

/** Whether a script of a shell is a patch and nothing else, in the folder where it runs or after one `cd`. */
export function patchInScript(script: string): PatchCommand | null {
  if (isBarePatch(script)) return { kind: "bare" };
  const text = script.trim();
  const end = text.indexOf("\n");
  const head = HEAD.exec(end === -1 ? text : text.slice(0, end).trimEnd());
  if (end === -1 || head?.groups === undefined) return null;
  const { plain, single, double, quoted, word = quoted } = head.groups;
  const body = text.slice(end + 1).split("\n");
  // The heredoc ends at the first such line; what follows would be another command.
  const last = body.findIndex((line) => line.replace(/\r$/, "") === word);
  if (last !== body.length - 1) return null;
  const folder = plain ?? single ?? double ?? null;
  return { kind: "patch", patch: body.slice(0, last).join("\n"), folder };
}

/** `cd folder && apply_patch <<'EOF'`: one folder without anything that a shell would replace, no arguments. */
const HEAD =
  /^(?:cd[ \t]+(?:(?<plain>(?!-)[\w./@%+=:,-]+)|'(?<single>[^']*)'|"(?<double>[^"$`\\]*)")[ \t]*&&[ \t]*)?(?:apply_patch|applypatch)[ \t]*<<[ \t]*(?:(?<word>\w+)|(?<quote>['"])(?<quoted>\w+)\k<quote>)$/;

function scriptOf(command: readonly string[]): string | null {
  const [shell = "", ...rest] = command;
  const start = Math.max(shell.lastIndexOf("/"), shell.lastIndexOf("\\")) + 1;
  const name = shell
    .slice(start)
    .toLowerCase()
    .replace(/\.exe$/, "");
  const isPowerShell = name === "pwsh" || name === "powershell";
  const [flag = "", script, ...more] = isPowerShell && rest[0]?.toLowerCase() === "-noprofile" ? rest.slice(1) : rest;
  if (script === undefined || more.length > 0) return null;
  return SHELLS.get(name)?.includes(flag.toLowerCase()) === true ? script : null;
}
