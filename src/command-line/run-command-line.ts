import { relative } from "node:path";

import { policyInWords, sitePolicy } from "../csp/index.js";
import { DepSpecError } from "../deps/index.js";
import { VERSION, VitrineError } from "../protocol/index.js";
import { addPackages } from "./add-packages.js";
import { checkFolder } from "./check-folder.js";
import { checkSite, isSiteFine, pageInWords, siteAsJson, siteInWords } from "./check-site/index.js";
import { CommandUsageError, PackageFolderError } from "./errors.js";
import { addedInWords, countInWords, failureInWords, harmless, listedInWords, sizeInWords, table } from "./in-words.js";
import type { OwnPyodide } from "./packages-for.js";
import { ProgressLine, type TextStream } from "./progress-line.js";
import { readArguments, type Command } from "./read-arguments.js";
import { removePackages } from "./remove-packages.js";
import { codeOf, SiteFolder } from "./site-folder.js";
import { USAGE } from "./usage.js";

/** What a process has around it. */
export interface Surroundings {
  readonly cwd: string;
  readonly out: TextStream;
  readonly err: TextStream;
  readonly own: OwnPyodide;
}

/** What the process ends with: all is well, something failed or a problem was found, it was called in a wrong way. */
export type ExitCode = 0 | 1 | 2;

type Doing<Kind extends Command["kind"]> = Extract<Command, { readonly kind: Kind }>;

/** What was done, for programs and for people. */
interface Outcome {
  readonly exitCode: ExitCode;
  readonly json: unknown;
  readonly words: string;
}

/** Does what the arguments of a process say, and writes what came of it. */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { cwd, out, err } = surroundings;
  let command: Command;
  try {
    command = readArguments(args, cwd);
  } catch (error) {
    if (!(error instanceof CommandUsageError)) throw error;
    err.write(`${harmless(error.message)}\n\n${USAGE}`);
    return 2;
  }
  if (command.kind === "help") {
    out.write(USAGE);
    return 0;
  }
  try {
    const { exitCode, json, words } = await carryOut(command, surroundings);
    out.write(command.json ? `${JSON.stringify(json, null, 2)}\n` : harmless(words));
    return exitCode;
  } catch (error) {
    // Faults of this program are for its authors, with all that is known.
    if (!(error instanceof VitrineError || isOfSystem(error))) throw error;
    const message = failureInWords(error instanceof Error ? error : new Error(String(error)));
    const known = error instanceof VitrineError ? { code: error.code, ...error.details() } : { code: codeOf(error) };
    if (command.json) out.write(`${JSON.stringify({ error: { ...known, message } }, null, 2)}\n`);
    else err.write(`${harmless(message)}\n`);
    return error instanceof DepSpecError || error instanceof CommandUsageError ? 2 : 1;
  }
}

/** A full disk, a folder that may not be written: `ENOSPC`, `EACCES`. */
function isOfSystem(error: unknown): boolean {
  return /^E[A-Z0-9]+$/.test(codeOf(error) ?? "");
}

async function carryOut(command: Exclude<Command, { kind: "help" }>, surroundings: Surroundings): Promise<Outcome> {
  if (command.kind === "csp") return csp(command);
  if (command.kind === "check-site") return await checkCells(command, surroundings);
  const folder = await SiteFolder.open(command.folder);
  const shown = relative(surroundings.cwd, folder.path) || ".";
  if (command.kind === "add") return await add(folder, shown, command, surroundings);
  if (!folder.isThere) {
    throw new PackageFolderError("missing", `${shown} has no index.json. "vitrine packages add NAME" makes one.`);
  }
  switch (command.kind) {
    case "list":
      return list(folder, shown);
    case "check":
      return await check(folder, shown);
    case "remove":
      return await remove(folder, shown, command);
  }
}

function csp({ trust }: Doing<"csp">): Outcome {
  const directives = sitePolicy(trust);
  const policy = policyInWords(directives);
  return { exitCode: 0, json: { version: VERSION, policy, directives }, words: `${policy}\n` };
}

/** Says of each page how it was, once it is done. */
async function checkCells({ options, json }: Doing<"check-site">, { cwd, out }: Surroundings): Promise<Outcome> {
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  // Once: who asks again has the process ended at once.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  try {
    const report = await checkSite(options, {
      cwd,
      signal: interrupt.signal,
      onPage: (page) => {
        if (!json) out.write(harmless(pageInWords(page, cwd)));
      },
    });
    const isFine = isSiteFine(report);
    return { exitCode: isFine ? 0 : 1, json: siteAsJson(report), words: siteInWords(report, cwd) };
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
  }
}

async function add(
  folder: SiteFolder,
  shown: string,
  { specs, sources, upgrade }: Doing<"add">,
  { err, own }: Surroundings,
): Promise<Outcome> {
  const progress = new ProgressLine(err);
  const onProgress = (received: number, total: number | undefined, filename: string): void => {
    progress.show(received, total, filename);
  };
  const report = await addPackages(folder, specs, { sources, own, upgrade, onProgress }).finally(() => progress.end());
  const { packages, replaced } = report;
  const size = packages.reduce((sum, each) => sum + each.size, 0);
  const added = packages.filter(({ wasThere }) => !wasThere);
  const summary = [
    `${shown} has ${countInWords(packages.length, "package")}, ${sizeInWords(size)} (${String(added.length)} new).`,
    ...(replaced.length === 0 ? [] : [`Replaced: ${replaced.join(", ")}.`]),
    `Sessions find them with packages: [{ folder: ${addressOnSite(shown)} }].`,
  ];
  const words = `${table(packages.map(addedInWords))}\n${summary.map((line) => `${line}\n`).join("")}`;
  return { exitCode: 0, json: { folder: folder.path, ...report }, words };
}

/** Of a folder below `public/`, which is the top of the site for Vite and others. */
function addressOnSite(shown: string): string {
  const path = shown.replaceAll("\\", "/");
  return path.startsWith("public/") ? JSON.stringify(`${path.slice("public/".length)}/`) : "the address of that folder";
}

function list(folder: SiteFolder, shown: string): Outcome {
  const packages = folder.files.map(({ name, version, entry, found }) => ({ ...entry, name, version, found }));
  const size = folder.files.reduce((sum, { found }) => sum + (found?.size ?? 0), 0);
  const summary = `${shown} has ${countInWords(packages.length, "package")}, ${sizeInWords(size)}.\n`;
  return {
    exitCode: 0,
    json: { folder: folder.path, packages },
    words: `${table(folder.files.map(listedInWords))}${summary}`,
  };
}

async function check(folder: SiteFolder, shown: string): Promise<Outcome> {
  const problems = await checkFolder(folder);
  const lines = problems.map(({ file, problem }) => `  ${file === undefined ? problem : `${file} ${problem}`}\n`);
  const found = problems.length === 0 ? "no problems" : countInWords(problems.length, "problem");
  return {
    exitCode: problems.length === 0 ? 0 : 1,
    json: { folder: folder.path, problems },
    words: `${lines.join("")}${shown}: ${countInWords(folder.files.length, "package")}, ${found}.\n`,
  };
}

async function remove(folder: SiteFolder, shown: string, { names }: Doing<"remove">): Promise<Outcome> {
  const { removed, left } = await removePackages(folder, names);
  const rows = removed.map(({ name, version = "", asked }) => [
    name,
    version,
    ...(asked ? [] : ["not needed any more"]),
  ]);
  const why = left === undefined ? "" : `What nothing needs any more was left, since that is not clear. ${left}\n`;
  return {
    exitCode: 0,
    json: { folder: folder.path, removed, left },
    words: `${table(rows)}Removed ${countInWords(removed.length, "package")} from ${shown}.\n${why}`,
  };
}
