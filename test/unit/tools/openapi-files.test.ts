import { describe, expect, test } from "vitest";

import { loadToolFiles, openApiTools, ToolRegistry } from "../../../src/tools/index.js";
import { json } from "../../servers/scripted-server.js";
import { callOperation, documentOf, ok, openApiService } from "./openapi-service.js";

const service = openApiService();

describe("a tool file of type openapi", () => {
  const load = (text: string, options: Parameters<typeof loadToolFiles>[1] = {}): ReturnType<typeof loadToolFiles> =>
    loadToolFiles([{ file: "tools/x.yaml", text: `name: x\ntype: openapi\n${text}` }], options);
  const library = JSON.stringify(documentOf({ "/books": { get: { operationId: "books", ...ok } } }));

  test("fetches its document, and reaches the service beside it", async () => {
    service.server.answerWith(({ url }, response) => {
      if (url.pathname === "/docs/api.json")
        response.writeHead(200, { "content-type": "application/json" }).end(library);
      else json(response, ["a book"]);
    });
    const { adapters } = load(`url: ${service.server.origin}/docs/api.json?v=1\nheaders: {X-A: b}`);

    expect(await callOperation(adapters[0]!, "books")).toEqual(["a book"]);
    expect(await callOperation(adapters[0]!, "books")).toEqual(["a book"]);

    expect(service.server.received.map(({ url }) => `${url.pathname}${url.search}`)).toEqual([
      "/docs/api.json?v=1",
      "/books",
      "/books",
    ]);
    expect(service.server.received[1]!.headers["x-a"]).toBe("b");
    expect(adapters[0]!.tool).toMatchObject({ name: "x", callables: [{ name: "books" }] });
  });

  test("reads a stored document", async () => {
    service.server.answerWith((_received, response) => json(response, 1));
    const readDocument = (name: string): Promise<Uint8Array | undefined> =>
      Promise.resolve(name === "library.json" ? new TextEncoder().encode(library) : undefined);

    const { adapters } = load(`file: library.json\nbase_url: ${service.server.origin}`, { readDocument });
    const missing = load("file: none.json", { readDocument });

    expect(await callOperation(adapters[0]!, "books")).toBe(1);
    await expect(callOperation(missing.adapters[0]!, "books")).rejects.toThrow(
      "none.json: no document is stored under this name",
    );
  });

  test("named by path reaches its server by path, also where its document names none", async () => {
    const documents: Record<string, unknown> = {
      "/app/docs/a.json": documentOf(
        { "/books": { get: { operationId: "books", ...ok } } },
        { servers: [{ url: "../v1" }] },
      ),
      "/app/docs/b.json": documentOf({ "/books": { get: { operationId: "books", ...ok } } }),
    };
    service.server.answerWith(({ url }, response) => json(response, documents[url.pathname] ?? url.pathname));
    const options = { pageUrl: `${service.server.origin}/app/index.html` };

    expect(await callOperation(load("url: docs/a.json", options).adapters[0]!, "books")).toBe("/app/v1/books");
    expect(await callOperation(load("url: ./docs/b.json", options).adapters[0]!, "books")).toBe("/books");
  });

  test("is refused where it names the page's own site by its host, with the name of the setting", async () => {
    const { origin } = service.server;
    const pageUrl = `${origin}/app/index.html`;
    const named = library.replace("{", `{"servers":[{"url":"${origin}/v2"}],`);
    const toldOf = async (document: string, more = ""): Promise<unknown[]> => {
      const problems: unknown[] = [];
      const registry = new ToolRegistry({ onProblem: (problem) => problems.push(problem) });
      const readDocument = (): Promise<Uint8Array> => Promise.resolve(new TextEncoder().encode(document));
      registry.register(load(`file: library.json\n${more}`, { pageUrl, readDocument }).adapters[0]!);
      await registry.settled();
      return problems;
    };
    const reason = "it names the page's own site by its host. Write";

    expect(await toldOf(library, `base_url: ${origin}/v1`)).toMatchObject([
      {
        code: "OPENAPI_DOCUMENT",
        message: expect.stringContaining(`${reason} \`base_url\` as a path, such as \`/v1\``),
      },
    ]);
    expect(await toldOf(named)).toMatchObject([
      {
        field: "/servers/0/url",
        message: expect.stringContaining(`${reason} \`base_url\` as a path, such as \`/v2\``),
      },
    ]);
    expect(await toldOf(named, "base_url: /v1")).toEqual([]);
    await expect(openApiTools(library, { name: "x", baseUrl: `${origin}/v1`, pageUrl })).rejects.toMatchObject({
      code: "OPENAPI_DOCUMENT",
      message: expect.stringContaining(`${reason} \`baseUrl\` as a path, such as \`/v1\``),
    });
  });

  test("tells of what is wrong with its document, and tries again at the next call", async () => {
    const told: unknown[] = [];
    service.server.answerWith((_received, response, count) => {
      if (count === 0) response.writeHead(404).end("gone");
      else if (count === 1) response.writeHead(200).end("swagger: '2.0'");
      else response.writeHead(200).end(library.replace('"/books"', '"books"'));
    });
    const registry = new ToolRegistry({ onProblem: (problem) => told.push(problem) });
    registry.register(load(`url: ${service.server.origin}/api.json`).adapters[0]!);

    await registry.settled();
    await expect(registry.whenKnown("x")).rejects.toThrow("its document cannot be used: ");
    await registry.whenKnown("x");

    expect(told).toMatchObject([
      { file: "tools/x.yaml", message: expect.stringContaining("HTTP 404: gone") },
      { file: "tools/x.yaml", code: "OPENAPI_DOCUMENT", message: expect.stringContaining("Swagger 2.0") },
      { code: "OPENAPI", field: "/paths/books" },
    ]);
  });

  test.each([
    ["", 1, undefined, "`url` is missing"],
    ["url: ftp://a.example", 3, "url", "a whole URL"],
    ["url: https://a:b@a.example", 3, "url", "user name"],
    ["url: https://a.example\nfile: x", 4, "file", "not both"],
    ["file: ../x", 3, "file", "without folders"],
    ["url: x.json\nschemes:\n  key: secret", 5, "schemes.key", "write the name of a secret"],
    ["url: x.json\ninclude: {tag: [a]}", 4, "include.tag", "there is no such field"],
    ["url: x.json\nbase_url: ftp://x", 4, "base_url", "cannot be fetched"],
    ["url: x.json\nheaders: {Cookie: a}", 4, "headers.Cookie", "does not let a page send"],
  ])("%j is refused with its line", (text, line, field, reason) => {
    const { problems } = load(text);

    expect(problems).toMatchObject([{ file: "tools/x.yaml", line, ...(field === undefined ? {} : { field }) }]);
    expect(problems[0]!.message).toContain(reason);
  });
});
