import { afterEach, describe, expect, inject, test } from "vitest";

import { INNER_SCRIPT_HASH, OUTER_SCRIPT_HASH } from "../../../src/csp/index.js";
import type { TrustLevel } from "../../../src/index.js";
import type { EmbeddingReport } from "./embedding-page.js";

/** Where the scripts and Pyodide's files come from: another origin than the embedding page's, as a CDN is. */
const site = new URL(import.meta.url).origin;
const moduleUrl = new URL("./embedding-page.ts", import.meta.url).href.replace(/\?.*$/, "");

/** A policy as sources by directive. */
type Policy = Readonly<Record<string, readonly string[]>>;

/** What each level needs, and nothing else. */
const ofPageHost: Policy = {
  "default-src": ["'none'"],
  "script-src": [site, "'wasm-unsafe-eval'", "blob:"],
  "worker-src": ["blob:"],
  "connect-src": [site, "blob:"],
};
const needed: Readonly<Record<TrustLevel, Policy>> = {
  local: ofPageHost,
  isolated: ofPageHost,
  sandboxed: {
    "default-src": ["'none'"],
    "script-src": [site, "'wasm-unsafe-eval'", OUTER_SCRIPT_HASH, INNER_SCRIPT_HASH, "blob:"],
    "worker-src": ["blob:"],
    "connect-src": [site, "blob:"],
  },
};

const frames: HTMLIFrameElement[] = [];
afterEach(() => {
  for (const frame of frames.splice(0)) frame.remove();
});

/** Opens a page under the policy, which opens a session and tells how that went. */
function embed(policy: Policy | null, trust: TrustLevel): Promise<EmbeddingReport> {
  const header = Object.entries(policy ?? {}).map(([directive, sources]) => [directive, ...sources].join(" "));
  const query = new URLSearchParams({ policy: header.join("; "), module: moduleUrl, options: trust });
  const frame = document.createElement("iframe");
  frame.src = `${inject("embeddingServer")}/page?${String(query)}`;
  frames.push(frame);
  const { promise, resolve } = Promise.withResolvers<EmbeddingReport>();
  const hear = ({ source, data }: MessageEvent<{ embeddingReport?: EmbeddingReport }>): void => {
    if (source !== frame.contentWindow || data.embeddingReport === undefined) return;
    removeEventListener("message", hear);
    resolve(data.embeddingReport);
  };
  addEventListener("message", hear);
  document.body.append(frame);
  return promise;
}

function without(policy: Policy, directive: string, source: string): Policy {
  return { ...policy, [directive]: (policy[directive] ?? []).filter((each) => each !== source) };
}

describe.each(["local", "sandboxed"] as const)("a page of another origin, trust level %s", (trust) => {
  test("runs Python without a policy", async () => {
    expect(await embed(null, trust)).toMatchObject({ value: 2, code: null });
  });

  test("runs Python under a policy that allows what is needed and nothing else", async () => {
    expect(await embed(needed[trust], trust)).toMatchObject({ value: 2, code: null });
  });

  test.each([
    ["script-src", "'wasm-unsafe-eval'"],
    ["script-src", "blob:"],
    ["worker-src", "blob:"],
    ["connect-src", "blob:"],
    ...(trust === "sandboxed"
      ? ([
          ["script-src", OUTER_SCRIPT_HASH],
          ["script-src", INNER_SCRIPT_HASH],
        ] as const)
      : []),
  ] as const)("names %s %s when the policy lacks it", async (directive, source) => {
    const report = await embed(without(needed[trust], directive, source), trust);

    expect(report).toMatchObject({ code: "CSP_BLOCKED", directives: [`${directive} ${source}`] });
    expect(report.message).toContain(`${directive} ${source}`);
  });

  test("names Trusted Types alone where they are enforced", async () => {
    const report = await embed({ ...needed[trust], "require-trusted-types-for": ["'script'"] }, trust);

    expect(report.code).toBe("CSP_BLOCKED");
    expect(report.directives).toEqual(["workers and frames from text, without require-trusted-types-for 'script'"]);
  });

  test("names everything that default-src 'self' lacks", async () => {
    const report = await embed({ "default-src": ["'self'", site] }, trust);

    const ofFrame = trust === "sandboxed" ? [`script-src ${OUTER_SCRIPT_HASH}`, `script-src ${INNER_SCRIPT_HASH}`] : [];
    expect(report.code).toBe("CSP_BLOCKED");
    expect([...(report.directives as string[])].sort()).toEqual(
      ["script-src 'wasm-unsafe-eval'", "worker-src blob:", "script-src blob:", "connect-src blob:", ...ofFrame].sort(),
    );
  });
});

describe("a page of another origin, trust level isolated", () => {
  test("runs Python under a policy that allows what is needed and nothing else", async () => {
    expect(await embed(needed.isolated, "isolated")).toMatchObject({ value: 2, code: null });
  });

  test("names connect-src blob: when the policy lacks it", async () => {
    const report = await embed(without(needed.isolated, "connect-src", "blob:"), "isolated");

    expect(report).toMatchObject({ code: "CSP_BLOCKED", directives: ["connect-src blob:"] });
    expect(report.message).toContain("connect-src blob:");
  });
});

test("a page whose policy has 'unsafe-inline' in the place of hashes runs Python", async () => {
  const scripts = [site, "'wasm-unsafe-eval'", "'unsafe-inline'", "blob:"];

  expect(await embed({ ...needed.sandboxed, "script-src": scripts }, "sandboxed")).toMatchObject({
    value: 2,
    code: null,
  });
});

describe("a policy by nonces", () => {
  const hashes = [OUTER_SCRIPT_HASH, INNER_SCRIPT_HASH];
  const byNonce = { ...needed.local, "script-src": [site, "'nonce-abc'", "'wasm-unsafe-eval'", "blob:"] };
  // What is trusted by nonce may load any other: browsers overlook addresses, schemes and 'unsafe-inline' then.
  const strict = { ...byNonce, "script-src": ["'nonce-abc'", "'strict-dynamic'", "'wasm-unsafe-eval'"] };

  test.each([
    ["a nonce", byNonce],
    ["a nonce and 'unsafe-inline'", { ...byNonce, "script-src": [...byNonce["script-src"], "'unsafe-inline'"] }],
    ["a nonce and 'strict-dynamic'", strict],
  ])("with %s is told the hashes of the frame's scripts, and with them runs Python", async (_what, policy) => {
    const { code, directives } = await embed(policy, "sandboxed");

    expect({ code, directives }).toEqual({
      code: "CSP_BLOCKED",
      directives: hashes.map((hash) => `script-src ${hash}`),
    });
    const allowed = { ...policy, "script-src": [...policy["script-src"], ...hashes] };
    expect(await embed(allowed, "sandboxed")).toMatchObject({ value: 2, code: null });
  });

  test("with a nonce and 'strict-dynamic' runs Python at trust level local as it is", async () => {
    expect(await embed(strict, "local")).toMatchObject({ value: 2, code: null });
  });
});
