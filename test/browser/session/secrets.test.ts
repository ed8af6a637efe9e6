import { afterAll, beforeAll, expect, inject, test } from "vitest";

import { memorySecrets, memoryStorage, Session } from "../../../src/index.js";

const KEY = "k3y-of-the-town-library";
const server = inject("toolServer");
const storage = memoryStorage();
let session: Session;

beforeAll(async () => {
  const file =
    `name: library\ntype: http\nbase_url: ${server}/open\nauth: {type: bearer, token: "\${KEY}"}\n` +
    "headers: {X-Own: 'a ${KEY}'}\nrecipes: {look: {path: echo}, fail: {path: status/500, auth: none}, lost: {path: echo, auth: {type: bearer, token: '${NONE}'}}}\n";
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
    ],
  });
});
afterAll(() => session.close());

test("a secret is sent, and neither code nor journal nor storage see it", async () => {
  const result = await session.run(
    "answer = tools.library.look()\n[answer['headers']['authorization'], answer['headers']['x-own']]",
  );

  expect(result.value).toEqual(["Bearer [secret KEY]", "a [secret KEY]"]);
  await session.journal.flush();
  const stored: string[] = [];
  for await (const key of storage.keys("")) stored.push(new TextDecoder().decode(await storage.get(key)));
  expect(stored.join("\n")).toContain("library.look");
  expect(stored.join("\n")).not.toContain(KEY);
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
