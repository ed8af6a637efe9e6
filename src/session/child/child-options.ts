import { DEFAULT_ARTIFACTS_SIZE } from "../../artifacts/index.js";
import { optionCheck } from "../../options/index.js";
import { TOOL_SCOPE } from "../../tools/index.js";
import { SESSION_LIMITS } from "../check-options.js";
import { SessionOptionsError } from "../errors.js";
import { isForeign } from "../calls/foreign-content.js";
import {
  DEFAULT_CALLS_PER_RUN,
  DEFAULT_OPEN_CALLS,
  DEFAULT_OUTPUT_BYTES,
  DEFAULT_OUTPUT_LENGTH,
  DEFAULT_VALUE_SIZE,
  type SessionLimits,
  type SessionOptions,
} from "../session-options.js";
import type { ChildOptions } from "./child-session.js";

export const checkChildOptions = optionCheck<ChildOptions>("session.openChild", {
  parentCall: "string?",
  trust: "string?",
  scope: TOOL_SCOPE,
  storage: "object?",
  timeout: "any?",
  limits: SESSION_LIMITS,
  imports: "array?",
  onTool: "function?",
});

/**
 * The options of a child, none of them weaker than its parent's.
 *
 * @param calling - the modules that the run may import in whose course the child works.
 * @throws {SessionOptionsError}
 */
export function childOptions(parent: SessionOptions, child: ChildOptions, calling?: readonly string[]): SessionOptions {
  const { trust = "sandboxed", storage = parent.storage, timeout = parent.timeout } = child;
  const { trust: trustAbove = "sandboxed" } = parent;
  if (isForeign(trustAbove, trust)) {
    throw new SessionOptionsError(
      `A session inside one of trust level ${trustAbove} cannot be ${trust}: choose ${trustAbove} or a stronger level.`,
    );
  }
  const imports = narrower(narrower(parent.imports, calling), child.imports);
  return {
    ...parent,
    trust,
    storage,
    limits: lowest(parent.limits, child.limits),
    // What they stand for is the parent's, and open already.
    tools: [],
    seeds: [],
    deps: [],
    ...(timeout === undefined ? {} : { timeout }),
    ...(imports === undefined ? {} : { imports }),
  };
}

/** Modules that are on both lists; undefined where there is none. */
export function narrower(
  above: readonly string[] | undefined,
  own: readonly string[] | undefined,
): readonly string[] | undefined {
  if (above === undefined || own === undefined) return own ?? above;
  return own.filter((name) => above.includes(name));
}

const DEFAULTS: SessionLimits = {
  outputLength: DEFAULT_OUTPUT_LENGTH,
  outputBytes: DEFAULT_OUTPUT_BYTES,
  valueSize: DEFAULT_VALUE_SIZE,
  artifactsSize: DEFAULT_ARTIFACTS_SIZE,
  callsPerRun: DEFAULT_CALLS_PER_RUN,
  openCalls: DEFAULT_OPEN_CALLS,
};

function lowest(above: SessionLimits = {}, own: SessionLimits = {}): SessionLimits {
  const highest: Readonly<Record<string, number>> = { ...DEFAULTS, ...above };
  const lowered = Object.entries<number>({ ...own }).map(
    ([name, limit]) => [name, Math.min(limit, highest[name] ?? Infinity)] as const,
  );
  return { ...above, ...(Object.fromEntries(lowered) as SessionLimits) };
}
