import type { Model } from "../../model/index.js";
import { messageOf, shorten } from "../../protocol/index.js";
import { readRoot } from "../call/file-path.js";
import type { WriteCodeOptions } from "../write-code-options.js";
import type { WritingFiles } from "../writing-session.js";

/** What is looked at before any model is asked. */
export interface PreflightOptions {
  /** Whether the batch has files that models write. */
  readonly hasCode: boolean;
  /** The files that are written to. */
  readonly files?: Pick<WritingFiles, "paths"> | undefined;
  /** How much the browser lets the site store. Default: as the browser says, where it does. */
  readonly estimate?: (() => Promise<{ readonly usage?: number; readonly quota?: number }>) | undefined;
}

/** What was found. Nothing is in the way where there are no problems. */
export interface PreflightReport {
  /** In sentences. */
  readonly problems: readonly string[];
  /** All of them, as the tool answers it; null where there are none. */
  readonly error: string | null;
}

/** Bytes that must be left to a site: a batch of code with its logs is smaller. */
const LEAST_ROOM = 1_000_000;
/** Characters of a sentence. */
const LONGEST_PROBLEM = 500;

/** Looks whether a batch can be begun: its models and their keys, its folder, and room for what is written. No model is asked. */
export async function preflight(options: WriteCodeOptions, about: PreflightOptions): Promise<PreflightReport> {
  const problems = [
    ...(about.hasCode ? modelProblems(options) : []),
    ...(await rootProblems(options.root ?? "", about.files)),
    ...(await roomProblems(about.estimate ?? browserEstimate())),
  ].map((problem) => shorten(problem, LONGEST_PROBLEM));
  const error = problems.length === 0 ? null : `Configuration Error in WriteCodeTool: ${problems.join(" ")}`;
  return { problems, error };
}

function modelProblems({ models, arbiter, fallback }: WriteCodeOptions): string[] {
  const problems: string[] = [];
  if (models.length === 0 && fallback === undefined) {
    problems.push("There is no model to write files: `models` is empty, and there is no `fallback`.");
  }
  const names = models.map(({ name }) => name);
  for (const name of new Set(names.filter((each, index) => names.indexOf(each) !== index))) {
    problems.push(`Two of \`models\` are called "${name}": give each its own name.`);
  }
  // A model in two roles is reported once.
  const all = new Set([...models, ...[arbiter, fallback].filter((model) => model !== undefined)]);
  for (const model of all) {
    const problem = problemOf(model);
    if (problem !== null && !problems.includes(problem)) problems.push(problem);
  }
  return problems;
}

function problemOf(model: Model): string | null {
  if (model.name.trim() === "") return "One of the models has no name.";
  try {
    return model.problem?.() ?? null;
  } catch (error) {
    const why = messageOf(error);
    return `The model "${model.name}" cannot be asked: ${model.withoutKey?.(why) ?? why}.`;
  }
}

async function rootProblems(root: string, files: PreflightOptions["files"]): Promise<string[]> {
  const folder = readRoot(root);
  if (folder.kind === "fault") return [`The root '${root}' ${folder.problem}: name a folder of /workspace.`];
  if (folder.path === "" || files === undefined) return [];
  try {
    const paths = new Set(await files.paths());
    const steps = folder.path.split("/");
    const file = steps.map((_, index) => steps.slice(0, index + 1).join("/")).find((path) => paths.has(path));
    return file === undefined ? [] : [`The root '${root}' cannot be a folder: '${file}' is a file.`];
  } catch (error) {
    return [`The files of /workspace cannot be read: ${messageOf(error)}.`];
  }
}

async function roomProblems(estimate: PreflightOptions["estimate"]): Promise<string[]> {
  if (estimate === undefined) return [];
  try {
    const { usage = 0, quota } = await estimate();
    if (quota === undefined || quota - usage >= LEAST_ROOM) return [];
    return [
      `The browser lets this site store only ${String(Math.max(0, Math.floor((quota - usage) / 1000)))} kB more. Delete files or data of the site.`,
    ];
  } catch {
    // A browser that does not say how much there is may have enough.
    return [];
  }
}

/** Undefined where there is no such browser. */
function browserEstimate(): PreflightOptions["estimate"] {
  // Pages that are not secure have no storage manager, and neither has Node.
  if (typeof navigator !== "object" || !("storage" in navigator)) return undefined;
  const { storage } = navigator;
  return typeof storage.estimate === "function" ? () => storage.estimate() : undefined;
}
