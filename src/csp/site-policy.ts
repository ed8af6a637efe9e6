import { INNER_SCRIPT_HASH, OUTER_SCRIPT_HASH } from "./frame-hashes.js";

/** By what the policy of a site knows its own scripts: by their origin, by a nonce, or by a nonce and who loads them. */
export type ScriptTrust = "origin" | "nonce" | "strict-dynamic";

/** Stands for the value that a server makes for each answer. */
export const NONCE = "NONCE";

/** A policy: sources by directive. */
export type SitePolicy = Readonly<Record<string, readonly string[]>>;

const hashes = [OUTER_SCRIPT_HASH, INNER_SCRIPT_HASH];

const scripts: Readonly<Record<ScriptTrust, readonly string[]>> = {
  origin: ["'self'", "blob:"],
  nonce: [`'nonce-${NONCE}'`, "blob:"],
  // With it browsers overlook addresses and schemes.
  "strict-dynamic": [`'nonce-${NONCE}'`, "'strict-dynamic'"],
};

/** What Vitrine needs on a site that serves it from its own origin, at any trust level. */
export function sitePolicy(trust: ScriptTrust): SitePolicy {
  return {
    "script-src": [...scripts[trust], "'wasm-unsafe-eval'", ...hashes],
    "worker-src": ["blob:"],
    "connect-src": ["'self'", "blob:"],
    // That of the sealed frame, which keeps the page's address where it may not have it.
    "base-uri": ["about:"],
  };
}

/** As the header has it. */
export function policyInWords(policy: SitePolicy): string {
  return Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(" "))
    .join("; ");
}
