import { describe, expect, test } from "vitest";

import { runCommandLine } from "../../../src/command-line/run-command-line.js";
import { INNER_SCRIPT_HASH, OUTER_SCRIPT_HASH } from "../../../src/csp/index.js";
import { VERSION } from "../../../src/protocol/index.js";

const hashes = `${OUTER_SCRIPT_HASH} ${INNER_SCRIPT_HASH}`;
const rest = "worker-src blob:; connect-src 'self' blob:; base-uri about:";

const variants = [
  { args: [], scripts: `'self' blob: 'wasm-unsafe-eval' ${hashes}` },
  { args: ["--nonce"], scripts: `'nonce-NONCE' blob: 'wasm-unsafe-eval' ${hashes}` },
  { args: ["--strict-dynamic"], scripts: `'nonce-NONCE' 'strict-dynamic' 'wasm-unsafe-eval' ${hashes}` },
  { args: ["--nonce", "--strict-dynamic"], scripts: `'nonce-NONCE' 'strict-dynamic' 'wasm-unsafe-eval' ${hashes}` },
];

test.each(variants)("vitrine csp $args prints one line, the policy", async ({ args, scripts }) => {
  expect(await run("csp", ...args)).toEqual({ code: 0, out: `script-src ${scripts}; ${rest}\n`, err: "" });
});

test("as JSON it has the version, the policy, and its directives", async () => {
  const { code, out } = await run("csp", "--json");

  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    version: VERSION,
    policy: (await run("csp")).out.trim(),
    directives: {
      "script-src": ["'self'", "blob:", "'wasm-unsafe-eval'", OUTER_SCRIPT_HASH, INNER_SCRIPT_HASH],
      "worker-src": ["blob:"],
      "connect-src": ["'self'", "blob:"],
      "base-uri": ["about:"],
    },
  });
});

test("help tells of it", async () => {
  const { code, out } = await run("csp", "--help");

  expect(code).toBe(0);
  expect(out).toContain("vitrine csp ");
});

describe("a wrong call ends with 2, and says what is wrong", () => {
  test.each([
    { args: ["csp", "numpy"], says: "csp takes no names" },
    { args: ["csp", "--to", "public"], says: "--to goes with packages, and this is csp." },
    { args: ["csp", "--upgrade"], says: "--upgrade goes with packages, and this is csp." },
    { args: ["csp", "--hash"], says: "--hash" },
    { args: ["packages", "list", "--nonce"], says: "--nonce goes with csp, and this is list." },
    {
      args: ["packages", "add", "quince", "--strict-dynamic"],
      says: "--strict-dynamic goes with csp, and this is add.",
    },
  ])("$args", async ({ args, says }) => {
    const { code, out, err } = await run(...args);

    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toContain(says);
  });
});

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const code = await runCommandLine(args, {
    cwd: "/",
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
    own: { lockfile: "", files: "" },
  });
  return { code, out, err };
}
