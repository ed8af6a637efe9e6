import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { INNER_SCRIPT_HASH, OUTER_SCRIPT_HASH } from "../../../src/csp/index.js";
import {
  framePolicy,
  INNER_SCRIPT,
  OUTER_DOCUMENT,
  OUTER_SCRIPT,
} from "../../../src/executor/hosts/sealed-frame-documents.js";

test("the hashes are those of the frame's two scripts", () => {
  expect(OUTER_SCRIPT_HASH).toBe(hashOf(OUTER_SCRIPT));
  expect(INNER_SCRIPT_HASH).toBe(hashOf(INNER_SCRIPT));
});

test("both documents have one script, and a policy that allows the two by their hashes and no other", () => {
  const [, inner = ""] = / srcdoc="([^"]*)"/.exec(OUTER_DOCUMENT) ?? [];
  const outer = OUTER_DOCUMENT.replace(inner, "");
  const innerDocument = inner.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

  const policy = `content="${framePolicy(INNER_SCRIPT_HASH)}"`;
  for (const [document, script] of [
    [outer, OUTER_SCRIPT],
    [innerDocument, INNER_SCRIPT],
  ] as const) {
    expect(document).toContain(policy);
    expect(document.match(/<script>(.*?)<\/script>/gs)).toEqual([`<script>${script}</script>`]);
  }
  expect(policy).toContain(`script-src ${OUTER_SCRIPT_HASH} ${INNER_SCRIPT_HASH} `);
  expect(policy).not.toContain("unsafe-inline");
});

/** As a policy names a script. */
function hashOf(script: string): string {
  return `'sha256-${createHash("sha256").update(script, "utf8").digest("base64")}'`;
}
