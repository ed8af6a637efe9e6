import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { z } from "zod";

import { functionTool, memorySecrets, memoryStorage, Session, type CallProgress } from "../../../src/index.js";

const KEY = "k3y-of-the-town-library";
const server = inject("toolServer");
const { scripted = "" } = inject("mcpServers");
const storage = memoryStorage();
const problems: string[] = [];
let session: Session;

beforeAll(async () => {
  const file =
    `name: library\ntype: http\nbase_url: ${server}/open\nauth: {type: bearer, token: "\${KEY}"}\n` +
    "headers: {X-Own: 'a ${KEY}'}\nrecipes: {look: {path: echo}, refused: {path: echo, preset: {status: 401}}, fail: {path: status/500, auth: none}, lost: {path: echo, auth: {type: bearer, token: '${NONE}'}}}\n";
  const document =
    `openapi: 3.0.3\nservers: [{url: "${server}/open"}]\npaths:\n  /echo:\n    get: {operationId: look}\n` +
    `  /echo/faulty:\n    get: {parameters: [{in: query}]}\n${"# padding\n".repeat(3000)}`;
  session = await Session.open({
    storage,
    trust: "sandboxed",
    secrets: memorySecrets({ KEY }),
    seeds: [
      { file: "tools/library.yaml", text: file },
      {
        file: "tools/described.yaml",
        text: "name: described\ntype: openapi\nfile: api.yaml\nauth: {type: header, name: X-Key, value: '${KEY}'}\n",
      },
      { file: "documents/api.yaml", text: document },
      {
        file: "tools/refusing.yaml",
        text: `name: refusing\ntype: mcp\nurl: ${scripted}/refusing\nheaders: {Authorization: "Bearer \${KEY}"}\n`,
      },
    ],
    tools: [
      functionTool({
        name: "told",
        description: "Says the key in pieces",
        input: z.object({}),
        run: async function* (_input, { report }) {
          report({ progress: 1, message: `the key is ${KEY}` });
          yield { said: [KEY] };
          await Promise.resolve();
          yield "nothing";
        },
      }),
    ],
    onProblem: (problem) => problems.push(String(problem)),
  });
});
afterAll(() => session.close());

async function everythingStored(): Promise<string> {
  const stored: string[] = [];
  for await (const key of storage.keys("")) stored.push(new TextDecoder().decode(await storage.get(key)));
  return stored.join("\n");
}

test("a secret is sent, and neither code nor journal nor storage see it", async () => {
  const result = await session.run(
    "answer = tools.library.look()\n[answer['headers']['authorization'], answer['headers']['x-own']]",
  );

  expect(result.value).toEqual(["Bearer [secret KEY]", "a [secret KEY]"]);
  await session.journal.flush();
  const stored = await everythingStored();
  expect(stored).toContain("library.look");
  expect(stored).not.toContain(KEY);
});

test("a secret that a service sends back with its refusal is struck from the error, and from the journal", async () => {
  const result = await session.run("tools.library.refused()");

  expect(result.error?.message).toContain("HTTP 401");
  expect(result.error?.message).toContain("Bearer [secret KEY]");
  await session.journal.flush();
  expect(await everythingStored()).toContain("library.refused");
  expect(JSON.stringify(result)).not.toContain(KEY);
  expect(await everythingStored()).not.toContain(KEY);
});

test("a secret in what an MCP server refuses the connection with is struck from call, problem and journal", async () => {
  const result = await session.run("tools.refusing.anything()");

  expect(result.error?.message).toContain("Bearer [secret KEY]");
  expect(problems.join("\n")).toContain("Bearer [secret KEY]");
  await session.journal.flush();
  const stored = await everythingStored();
  expect(stored).toContain("refusing.anything");
  expect([JSON.stringify(result), problems.join("\n"), stored].filter((text) => text.includes(KEY))).toEqual([]);
});

test("a secret in a report of a call, or in a piece of its result, is struck before anybody hears it", async () => {
  // Only what was used is known to be a secret.
  await session.run("tools.library.look()");
  const heard: CallProgress[] = [];

  const { value } = await session.run("tools.told()", { onCallProgress: (progress) => heard.push(progress) });

  expect(value).toEqual([{ said: ["[secret KEY]"] }, "nothing"]);
  expect(heard).toEqual([
    expect.objectContaining({ progress: 1, message: "the key is [secret KEY]" }),
    expect.objectContaining({ progress: 1, piece: { said: ["[secret KEY]"] } }),
    expect.objectContaining({ progress: 2, piece: "nothing" }),
  ]);
});

test("a secret that is not there is an error with its name", async () => {
  const { value } = await session.run(
    "try:\n    tools.library.lost()\nexcept SecretNotFoundError as error:\n    caught = [error.secret_name, error.code]\ncaught",
  );

  expect(value).toEqual(["NONE", "SECRET_NOT_FOUND"]);
});

test("a stored OpenAPI document is called from Python, with its secret", async () => {
  const { value, error } = await session.run("tools.described.look()['headers']['x-key']");

  expect(String(error)).toBe("null");
  expect(value).toBe("[secret KEY]");
});

test("a document is read in a worker, which knows the lines of what is faulty", async () => {
  const text = new TextDecoder().decode(await storage.get("documents/api.yaml"));

  const { tool, problems } = await session.tools.addOpenApi(text, { name: "added" });

  expect(tool.callables.map(({ name }) => name)).toEqual(["look"]);
  expect(problems).toMatchObject([{ file: "added", line: 7, field: "/paths/~1echo~1faulty/get/parameters/0" }]);
});

test("a large document becomes a tool of a session", async () => {
  const text = await (await fetch(`${server}/open/documents/github`)).text();

  const { tool, problems } = await session.tools.addOpenApi(text, { name: "github" });

  expect(problems).toEqual([]);
  expect(tool.callables.length).toBeGreaterThan(1000);
  const { value } = await session.run("tools.github.repos_get.signature()");
  expect(value).toContain("owner: str, repo: str");
});
