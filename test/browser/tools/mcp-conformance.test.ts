import { expect, inject, test } from "vitest";
import { z } from "zod";

import { mcpTool, type McpElicitation, type McpOAuth } from "../../../src/index.js";
import { ToolRegistry } from "../../../src/tools/index.js";
import { callTool } from "../../lone-calls/lone-call.js";
import { LONG_TEST, RUN } from "../../timeouts.mjs";

const suite = inject("mcpServers").conformance ?? "";

interface Task {
  readonly id: number;
  readonly scenario: string;
  readonly serverUrl: string;
  readonly context: Readonly<Record<string, string>>;
}

/** Scenarios that do not apply, and why. */
const notApplicable = new Map([
  [
    "auth/2025-03-26-oauth-metadata-backcompat",
    "its server names an issuer other than its address, which RFC 8414 has a client refuse",
  ],
  ["auth/client-credentials-jwt", "a private key in a page is none"],
  ["auth/cross-app-access-complete-flow", "needs the identity provider of an enterprise"],
]);

/** Scenarios in which a client is to give up, and what ours says then. */
const refusing = new Map([
  ["auth/resource-mismatch", "does not match expected"],
  ["auth/scope-retry-limit", "wants to know who calls"],
]);

test("passes every scenario of the official suite for clients that applies to it", { timeout: LONG_TEST }, async () => {
  await fetch(`${suite}/start`, { method: "POST" });

  const results = await answerAll();

  const failures = Object.fromEntries([...results].filter(([, found]) => found.length > 0));
  const expected = Object.fromEntries([...notApplicable.keys()].map((scenario) => [scenario, expect.anything()]));
  expect(failures).toEqual(expected);
  expect(results.size).toBeGreaterThan(20);
});

/**
 * What the suite says of a client that comes back half a second after the time that its server named, as any may while
 * two dozen clients keep two cores busy. That the named time is the one that is waited for is tried in mcp-servers.test.ts;
 * a client that comes too early fails here, too.
 */
const LATE = "ClientRespectsRetryField: Client reconnected very late";

/**
 * Serves the drivers until the suite is through. Gives by scenario the checks that failed, and what the client threw. The
 * suite's warnings are about what a specification recommends, and do not count.
 */
async function answerAll(): Promise<ReadonlyMap<string, readonly string[]>> {
  const thrown = new Map<string, string>();
  for (;;) {
    const { task, summary } = (await (await fetch(`${suite}/next`)).json()) as { task?: Task; summary?: string };
    if (task !== undefined) {
      void perform(task, (error) => {
        thrown.set(task.scenario, error);
      });
    }
    if (summary === undefined) continue;
    const results = new Map<string, string[]>();
    let failures: string[] = [];
    for (const line of summary.slice(summary.indexOf("SUITE SUMMARY")).split("\n")) {
      const [, scenario] = /^[✓✗] ([\w/-]+): /.exec(line) ?? [];
      if (scenario !== undefined) {
        results.set(scenario, (failures = unexpectedEnd(scenario, thrown.get(scenario))));
      } else if (line.startsWith("    - ") && !line.includes(LATE)) failures.push(line.trim());
    }
    return results;
  }
}

/** The suite looks at requests alone: a client that gives up too early, or not where it should, is found here. */
function unexpectedEnd(scenario: string, error: string | undefined): string[] {
  const refusal = refusing.get(scenario);
  if (refusal === undefined) return error === undefined ? [] : [`the client threw ${error}`];
  return error?.includes(refusal) === true ? [] : [`the client did not say "${refusal}", but ${String(error)}`];
}

async function perform(task: Task, onError: (error: string) => void): Promise<void> {
  let error: string | null = null;
  try {
    await beClient(task);
  } catch (thrown) {
    error = String(thrown);
    onError(error);
  }
  await fetch(`${suite}/done?id=${String(task.id)}`, { method: "POST", body: JSON.stringify({ error }) });
}

async function beClient({ id, scenario, serverUrl, context }: Task): Promise<void> {
  // A name of its own for each, since a browser opens no more than six connections to one.
  const proxy = suite.replace("127.0.0.1", `task-${String(id)}.localhost`);
  const registry = new ToolRegistry({
    environment: {
      proxy: `${proxy}/proxy?url={url}`,
      mcp: { onElicitation: (asked) => Promise.resolve({ action: "accept", content: filledIn(asked) }) },
    },
  });
  try {
    const auth = scenario.startsWith("auth/") ? { auth: oauthOf(scenario, context) } : {};
    registry.register(mcpTool({ name: "x", url: serverUrl, timeout: RUN, ...auth }));
    await registry.whenKnown("x");
    for (const { name } of registry.get("x")?.callables ?? []) {
      await callTool(registry, { tool: "x", callable: name, args: name === "add_numbers" ? { a: 5, b: 3 } : {} });
    }
  } finally {
    await registry.close();
  }
}

/** A form as its server filled it in beforehand, which a person accepts. */
function filledIn(asked: McpElicitation): Record<string, Default> {
  if (asked.kind !== "form") return {};
  const { properties } = Form.parse(asked.schema);
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  );
}

type Default = z.infer<typeof Default>;
const Default = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const Form = z.object({ properties: z.record(z.string(), z.object({ default: Default.optional() })) });

function oauthOf(scenario: string, context: Readonly<Record<string, string>>): McpOAuth {
  const client = {
    ...(context.client_id === undefined ? {} : { clientId: context.client_id }),
    ...(context.client_secret === undefined ? {} : { clientSecret: context.client_secret }),
  };
  if (scenario.includes("client-credentials")) return client;
  return {
    ...client,
    redirectUrl: "http://localhost:3000/callback",
    clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
    // The suite's authorization servers agree at once: what a person would see is a redirect.
    authorize: async (url) => {
      const answer = await fetch(`${suite}/redirect?url=${encodeURIComponent(url.href)}`);
      const { location, body } = (await answer.json()) as { location: string | null; body: string };
      if (location === null) throw new Error(`No redirect: ${body}`);
      return location;
    },
  };
}
