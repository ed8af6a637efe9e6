import { optionCheck } from "../../options/index.js";
import { overlayStorage } from "../../storage/index.js";
import type { Policy } from "../../dispatch/index.js";
import type { ToolAdapter } from "../../tools/index.js";
import type { SessionDeps, SessionSkills } from "../facades.js";
import type { RunOptions } from "../runs/run-options.js";
import type { RunResult } from "../runs/run-result.js";
import { packageSources } from "../package-options.js";
import type { SessionOptions } from "../session-options.js";

/** How to open a session in which something is tried. */
export interface TrialOptions {
  /** All the tools that it has, none of which is asked about. What the opener's tools do is not known there. */
  readonly tools?: readonly ToolAdapter[];
  /** Milliseconds that a run may take, at most the opener's; null for no limit. Default: the opener's. */
  readonly timeout?: number | null;
}

export const checkTrialOptions = optionCheck<TrialOptions>("session.openTrial", {
  tools: "array?",
  timeout: "number|null?",
});

/** A session in which something is tried. Close it when that is done. */
export interface TrialSession {
  readonly skills: SessionSkills;
  run(code: string, options?: RunOptions): Promise<RunResult>;
  close(): Promise<void>;
}

/** What a trial sees of the storage: no files of tools, whose adapters would be real ones, no journal and no tasks. */
const SEEN = ["skills/", "artifacts/", "workspace/", "deps/"];

/** Bytes that a trial may write, all in memory. */
const ROOM = 64 * 1024 ** 2;

/** What would last, or reach out, and has no sense where nothing is kept. */
const REFUSED = new Set([
  "tools.register",
  "skills.create",
  "skills.delete",
  "artifacts.delete",
  "deps.add",
  "deps.remove",
  "deps.provide",
]);

/**
 * The options of a session in which something is tried: sealed, with the opener's interpreter and limits, and with nothing
 * of it that acts. Nobody is asked there, so what would be asked about is refused.
 */
export function trialOptions(opener: SessionOptions, { tools = [], timeout: wanted }: TrialOptions): SessionOptions {
  const timeout = shorter(opener.timeout, wanted);
  return {
    storage: overlayStorage(opener.storage, SEEN, { limit: ROOM }),
    trust: "sandboxed",
    tools,
    shell: false,
    allowedHosts: [],
    allowRuntimeDeps: false,
    policy: nothingThatLasts,
    // They stand in for others, whatever their hints say of those.
    approvals: { tools: "allow" },
    ...interpreterOptions(opener),
    ...(timeout === undefined ? {} : { timeout }),
  };
}

/** Null is no limit, and undefined says nothing. */
function shorter(one: number | null | undefined, other: number | null | undefined): number | null | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** Named one by one: what is added to a session's options some day is not handed on unless somebody means it. */
function interpreterOptions(opener: SessionOptions): Partial<SessionOptions> {
  const { limits, imports, pyodideBaseURL, deps, onProblem, transport, useSnapshot } = opener;
  // A host and a spare are for sessions of one level.
  const isSealed = (opener.trust ?? "sandboxed") === "sandboxed";
  const host = isSealed ? opener.host : undefined;
  const spare = isSealed ? opener.spare : undefined;
  return {
    ...(limits === undefined ? {} : { limits }),
    ...(imports === undefined ? {} : { imports }),
    ...(pyodideBaseURL === undefined ? {} : { pyodideBaseURL }),
    packages: packageSources(opener),
    ...(deps === undefined ? {} : { deps }),
    ...(onProblem === undefined ? {} : { onProblem }),
    ...(host === undefined ? {} : { host }),
    ...(spare === undefined ? {} : { spare }),
    ...(transport === undefined ? {} : { transport }),
    ...(useSnapshot === undefined ? {} : { useSnapshot }),
  };
}

const nothingThatLasts: Policy = ({ caller, namespace, name }) => {
  const full = `${namespace}.${name}`;
  if (caller === "page" || !REFUSED.has(full)) return { kind: "allow" };
  return { kind: "deny", reason: `this is a trial, of which nothing stays; ${full} is not made in one` };
};

/** Opens it, with the packages of the storage installed. @throws what `open` throws. */
export async function openTrialSession<S extends TrialSession & { readonly deps: SessionDeps }>(
  options: SessionOptions,
  open: (options: SessionOptions) => Promise<S>,
): Promise<S> {
  const session = await open(options);
  const isSynced = (options.deps ?? []).length > 0;
  if (isSynced || (await session.deps.list()).length === 0) return session;
  try {
    await session.deps.sync();
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}
