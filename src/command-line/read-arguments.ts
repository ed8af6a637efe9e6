import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

import type { ScriptTrust } from "../csp/index.js";
import type { PackageSourceOptions } from "../deps/index.js";
import { closestName } from "../options/index.js";
import { messageOf } from "../protocol/index.js";
import { BROWSERS, type SiteCheckOptions } from "./check-site/index.js";
import { CommandUsageError } from "./errors.js";

/** What is to be done, and with which folder. */
export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "csp"; readonly trust: ScriptTrust; readonly json: boolean }
  | { readonly kind: "check-site"; readonly options: SiteCheckOptions; readonly json: boolean }
  | {
      readonly kind: "add";
      readonly folder: string;
      readonly json: boolean;
      readonly specs: readonly string[];
      readonly sources: readonly PackageSourceOptions[];
      readonly upgrade: boolean;
    }
  | { readonly kind: "list" | "check"; readonly folder: string; readonly json: boolean }
  | { readonly kind: "remove"; readonly folder: string; readonly json: boolean; readonly names: readonly string[] };

const options = {
  to: { type: "string" },
  lockfile: { type: "string", multiple: true },
  files: { type: "string", multiple: true },
  index: { type: "string", multiple: true },
  host: { type: "string", multiple: true },
  upgrade: { type: "boolean" },
  nonce: { type: "boolean" },
  "strict-dynamic": { type: "boolean" },
  root: { type: "string" },
  base: { type: "string" },
  write: { type: "boolean" },
  timeout: { type: "string" },
  browser: { type: "string" },
  executable: { type: "string" },
  headed: { type: "boolean" },
  "allow-network": { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const COMMANDS = ["add", "list", "check", "remove"] as const;

/** Options that say what `add` copies. */
const OF_ADD = ["lockfile", "files", "index", "host", "upgrade"] as const;

/** Options of the commands of `packages`, of `csp` and of `check`. */
const OF_PACKAGES = ["to", ...OF_ADD] as const;
const OF_CSP = ["nonce", "strict-dynamic"] as const;
const OF_CHECK = ["root", "base", "write", "timeout", "browser", "executable", "headed", "allow-network"] as const;

/** Seconds that a cell may take: the first one loads Python, and perhaps packages. */
const DEFAULT_TIMEOUT = 120;

/** Timers go no further. */
const LONGEST_TIMEOUT = 2_000_000;

/** Reads what follows the name of the program. @throws {CommandUsageError} */
export function readArguments(args: readonly string[], cwd: string): Command {
  const { values, positionals, tokens } = parse(args);
  if (values.help === true) return { kind: "help" };
  const [group, given, ...names] = positionals;
  if (group === undefined) throw new CommandUsageError("Nothing to do.");
  if (group === "csp") return readCsp(values, positionals.slice(1));
  if (group === "check") return readCheck(values, positionals.slice(1));
  if (group !== "packages") throw new CommandUsageError(`There is no command ${JSON.stringify(group)}.`);
  const kind = COMMANDS.find((each) => each === given);
  if (kind === undefined) throw noCommand(given);
  const folder = resolve(cwd, values.to ?? "public/packages");
  const { json = false, upgrade = false } = values;

  if (kind !== "add") refuse(OF_ADD, values, { of: "add", given: kind });
  refuse(OF_CSP, values, { of: "csp", given: kind });
  refuse(OF_CHECK, values, { of: "check", given: `packages ${kind}` });
  if (kind === "list" || kind === "check") {
    if (names.length > 0) throw new CommandUsageError(`${kind} takes no names: it looks at all packages.`);
    return { kind, folder, json };
  }
  if (names.length === 0 && !upgrade) throw new CommandUsageError(`${kind} needs the name of a package.`);
  if (kind === "remove") return { kind, folder, json, names };
  const sources = sourcesIn(tokens, cwd);
  return {
    kind,
    folder,
    json,
    specs: names,
    sources: sources.length > 0 ? sources : [{ lockfile: "pyodide" }],
    upgrade,
  };
}

type Values = ReturnType<typeof parseAll>["values"];

function readCsp(values: Values, names: readonly string[]): Command {
  refuse(OF_PACKAGES, values, { of: "packages", given: "csp" });
  refuse(OF_CHECK, values, { of: "check", given: "csp" });
  if (names.length > 0) throw new CommandUsageError("csp takes no names: it prints one policy.");
  const { nonce = false, "strict-dynamic": isStrict = false, json = false } = values;
  return { kind: "csp", trust: isStrict ? "strict-dynamic" : nonce ? "nonce" : "origin", json };
}

function readCheck(values: Values, names: readonly string[]): Command {
  refuse(OF_PACKAGES, values, { of: "packages", given: "check" });
  refuse(OF_CSP, values, { of: "csp", given: "check" });
  if (names.length === 0) throw new CommandUsageError("check needs the folder of a built site, or pages of it.");
  const { root, base = "/", executable, browser: name = "chromium", json = false } = values;
  const browser = BROWSERS.find((each) => each === name);
  if (browser === undefined) throw new CommandUsageError(`--browser is one of ${BROWSERS.join(", ")}.`);
  if (!/^\/(?:[^/?#]+\/)*$/.test(base)) {
    throw new CommandUsageError("--base is a path that begins and ends with a slash: /project/");
  }
  return {
    kind: "check-site",
    json,
    options: {
      names,
      root,
      base,
      writes: values.write ?? false,
      limit: readTimeout(values.timeout),
      browser,
      executable,
      isHeaded: values.headed ?? false,
      allowsNetwork: values["allow-network"] ?? false,
    },
  };
}

/** Milliseconds. */
function readTimeout(text: string | undefined): number {
  const seconds = text === undefined ? DEFAULT_TIMEOUT : /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= LONGEST_TIMEOUT) return seconds * 1000;
  throw new CommandUsageError(`--timeout is a number of seconds, and not ${JSON.stringify(text)}.`);
}

/** @throws {CommandUsageError} for an option of another command. */
function refuse(
  names: readonly (keyof Values)[],
  values: Values,
  { of, given }: { readonly of: string; readonly given: string },
): void {
  const foreign = names.find((name) => values[name] !== undefined);
  if (foreign !== undefined) throw new CommandUsageError(`--${foreign} goes with ${of}, and this is ${given}.`);
}

function parse(args: readonly string[]): ReturnType<typeof parseAll> {
  try {
    return parseAll(args);
  } catch (error) {
    throw new CommandUsageError(messageOf(error), { cause: error });
  }
}

function parseAll(args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowPositionals: true, tokens: true });
}

function noCommand(given: string | undefined): CommandUsageError {
  if (given === undefined) return new CommandUsageError(`packages needs one of ${COMMANDS.join(", ")}.`);
  const closest = closestName(given, COMMANDS);
  const advice = closest === undefined ? "" : ` Is ${closest} meant?`;
  return new CommandUsageError(`There is no command packages ${JSON.stringify(given)}.${advice}`);
}

type Token = ReturnType<typeof parseAll>["tokens"][number];

/** The sources in their order, each with the options that follow it. */
function sourcesIn(tokens: readonly Token[], cwd: string): readonly PackageSourceOptions[] {
  const sources: PackageSourceOptions[] = [];
  for (const token of tokens) {
    if (token.kind !== "option" || token.value === undefined) continue;
    const { name, value } = token;
    const last = sources.at(-1);
    if (name === "lockfile") sources.push({ lockfile: value === "pyodide" ? value : addressOf(value, cwd) });
    else if (name === "index") sources.push({ index: webAddress(value) });
    else if (name === "files") {
      if (last === undefined || !("lockfile" in last) || last.files !== undefined) throw outOfPlace(name, "lockfile");
      sources.splice(-1, 1, { ...last, files: `${addressOf(value, cwd).replace(/\/$/, "")}/` });
    } else if (name === "host") {
      if (last === undefined || !("index" in last)) throw outOfPlace(name, "index");
      sources.splice(-1, 1, { ...last, hosts: [...(last.hosts ?? []), value] });
    }
  }
  return sources;
}

function outOfPlace(name: string, of: string): CommandUsageError {
  return new CommandUsageError(`--${name} goes right after the --${of} that it belongs to.`);
}

/** Of a file of this machine, or of what is an address already. */
function addressOf(where: string, cwd: string): string {
  return /^https?:/i.test(where) ? webAddress(where) : pathToFileURL(resolve(cwd, where)).href;
}

function webAddress(text: string): string {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address?.protocol !== "https:" && address?.protocol !== "http:") {
    throw new CommandUsageError(`${JSON.stringify(text)} is no address that begins with https:// or http://.`);
  }
  return address.href;
}
