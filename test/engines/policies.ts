import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { runCommandLine } from "../../src/command-line/run-command-line.js";
import { INNER_SCRIPT_HASH, OUTER_SCRIPT_HASH } from "../../src/csp/index.js";
import type { LocalServer } from "../servers/local-server.js";
import { ANSWERS } from "../timeouts.mjs";
import type { Engine } from "./drivers/index.js";

/** A page with a Content Security Policy, and what becomes of a session on it. */
interface PolicyCase {
  readonly title: string;
  /** Of `vitrine csp`. */
  readonly options: readonly string[];
  /** @param origin - of the page's server. */
  readonly change?: (policy: string, origin: string) => string;
  /** What the error must say is missing; null where the session must open and compute. */
  readonly missing: readonly string[] | null;
}

const Report = z.object({
  value: z.unknown(),
  code: z.string().nullable(),
  message: z.string(),
  directives: z.array(z.string()).nullable(),
  elapsed: z.number(),
});

const without =
  (...sources: readonly string[]) =>
  (policy: string): string =>
    sources.reduce((left, source) => left.replace(` ${source}`, ""), policy);

const both = [`script-src ${OUTER_SCRIPT_HASH}`, `script-src ${INNER_SCRIPT_HASH}`] as const;

export const policyCases: readonly PolicyCase[] = [
  { title: "a page with what vitrine csp prints runs Python", options: [], missing: null },
  { title: "a page with what vitrine csp --nonce prints runs Python", options: ["--nonce"], missing: null },
  {
    title: "a page with what vitrine csp --strict-dynamic prints runs Python",
    options: ["--strict-dynamic"],
    missing: null,
  },
  {
    title: "a page that allows nothing besides what vitrine csp prints runs Python",
    options: [],
    change: (policy) => `default-src 'none'; ${policy}`,
    missing: null,
  },
  {
    title: "a policy without the hash of the outer script is told that hash",
    options: [],
    change: without(OUTER_SCRIPT_HASH),
    missing: [both[0]],
  },
  {
    title: "a policy by nonces without the hash of the inner script is told that hash",
    options: ["--nonce"],
    change: without(INNER_SCRIPT_HASH),
    missing: [both[1]],
  },
  {
    title: "a policy with 'strict-dynamic' without hashes is told both",
    options: ["--strict-dynamic"],
    change: without(OUTER_SCRIPT_HASH, INNER_SCRIPT_HASH),
    missing: both,
  },
  { title: "a page without an origin runs Python", options: [], change: withoutOrigin, missing: null },
  {
    title: "a page without an origin, and without the hash of the inner script, is told that hash",
    options: [],
    change: (policy, origin) => without(INNER_SCRIPT_HASH)(withoutOrigin(policy, origin)),
    missing: [both[1]],
  },
  {
    title: "a page without an origin, with 'strict-dynamic', runs Python",
    options: ["--strict-dynamic"],
    change: withoutOrigin,
    missing: null,
  },
  {
    title: "a page without an origin, with 'strict-dynamic' without hashes, is told both",
    options: ["--strict-dynamic"],
    change: (policy, origin) => without(OUTER_SCRIPT_HASH, INNER_SCRIPT_HASH)(withoutOrigin(policy, origin)),
    missing: both,
  },
];

/** On a page that is sandboxed, 'self' is not its server. */
function withoutOrigin(policy: string, origin: string): string {
  return `${policy.replaceAll("'self'", origin)}; sandbox allow-scripts`;
}

/** Opens the page of a case. @returns what is not as it must be. */
export async function tryPolicy(
  engine: Engine,
  { server, tried }: { readonly server: LocalServer; readonly tried: PolicyCase },
): Promise<readonly string[]> {
  const printed = await policyOf(tried.options);
  const policy = tried.change?.(printed, server.origin) ?? printed;
  if (tried.change !== undefined && policy === printed) return [`${policy} is not changed`];
  const page = await engine.openPage(`${server.origin}/policy.html?${new URLSearchParams({ policy }).toString()}`);
  try {
    const { value, code, message, directives } = Report.parse(await page.evaluate(REPORT));
    const expected = tried.missing === null ? { value: 42, code: null } : { value: null, code: "CSP_BLOCKED" };
    if (isDeepStrictEqual({ value, code, directives }, { ...expected, directives: tried.missing })) return [];
    return [`expected ${JSON.stringify(tried.missing ?? 42)}, and it was ${JSON.stringify(value)}: ${message}`];
  } finally {
    await page.close();
  }
}

/** What the page tells; an engine may say that it is loaded before its modules have run. */
const REPORT = `(async () => {
  const end = performance.now() + ${String(ANSWERS)};
  while (window.vitrinePolicy === undefined && performance.now() < end) await new Promise((go) => setTimeout(go, 50));
  return window.vitrinePolicy;
})()`;

/** What the program prints. */
export async function policyOf(options: readonly string[]): Promise<string> {
  let printed = "";
  await runCommandLine(["csp", ...options], {
    cwd: ".",
    out: { write: (text) => (printed += text) },
    err: { write: () => true },
    own: { lockfile: "", files: "" },
  });
  return printed.trim();
}
