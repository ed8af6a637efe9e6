import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { githubDocumentPath } from "../../../bench/tokens/documents.js";
import { memorySecrets } from "../../../src/secrets/index.js";
import type { Value } from "../../../src/protocol/index.js";
import {
  loadToolFiles,
  openApiTools,
  ToolRegistry,
  type OpenApiOptions,
  type ToolAdapter,
  type ToolContext,
} from "../../../src/tools/index.js";
import { json, startScriptedServer, type ScriptedServer } from "../../servers/scripted-server.js";
import { differencesFrom } from "./openapi-contract.js";

const require = createRequire(import.meta.url);
const example = (path: string): string => readFileSync(require.resolve(`@readme/oas-examples/${path}`), "utf8");
const github = readFileSync(githubDocumentPath(), "utf8");

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

const context: ToolContext = {
  signal: new AbortController().signal,
  runSkill: () => Promise.reject(new Error("not here")),
  callTool: () => Promise.reject(new Error("not here")),
  report: () => undefined,
};

async function call(adapter: ToolAdapter, name: string, args: Record<string, Value> = {}): Promise<Value> {
  const registry = new ToolRegistry();
  registry.register(adapter);
  const prepared = registry.prepare(adapter.tool.name, name);
  return prepared.invoke(await prepared.validate(args), context);
}

const made = async (
  document: string | Record<string, unknown>,
  options: Partial<OpenApiOptions> = {},
): ReturnType<typeof openApiTools> =>
  openApiTools(document, { name: "x", baseUrl: `${server.origin}/base`, ...options });

function operationsOf(text: string): number {
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> };
  const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
  return Object.values(paths).reduce(
    (sum, item) => sum + Object.keys(item).filter((key) => methods.includes(key)).length,
    0,
  );
}

describe("public documents", { timeout: 60_000 }, () => {
  test.each([
    ["GitHub", () => github, 1000],
    ["Petstore", () => example("3.0/json/petstore.json"), 20],
    ["Star Trek", () => example("3.0/json/star-trek.json"), 100],
    ["ReadMe", () => example("3.1/json/readme.json"), 50],
    ["Train Travel", () => example("3.1/json/train-travel.json"), 7],
    ["parameter styles", () => example("3.1/json/parameters-style.json"), 20],
    ["security", () => example("3.0/json/security.json"), 15],
    ["circular schemas", () => example("3.0/json/schema-circular.json"), 1],
  ])("each operation of %s becomes a callable or a named problem", async (_, read, atLeast) => {
    const text = read();
    const { adapter, problems } = await made(text);
    const { callables } = adapter.tool;
    const leftOut = problems.filter(({ message }) => message.includes(" is left out: "));

    expect(callables.length + leftOut.length).toBe(operationsOf(text));
    expect(callables.length).toBeGreaterThanOrEqual(atLeast);
    expect(new Set(callables.map(({ name }) => name)).size).toBe(callables.length);
    expect(callables.filter(({ name }) => !/^[A-Za-z]\w*$/.test(name)).map(({ name }) => name)).toEqual([]);
    expect(problems.filter(({ field }) => field?.startsWith("/") !== true)).toEqual([]);
    for (const { parameters, inputSchema } of callables) {
      expect(Object.keys(inputSchema?.properties ?? {})).toEqual(parameters.map(({ name }) => name));
    }
    // Of a large document a part tells enough.
    const looked = callables.filter((_callable, index) => index % Math.ceil(callables.length / 100) === 0);
    expect(danglingReferences(looked.flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]))).toEqual(
      [],
    );
  });

  test("YAML gives what JSON gives", async () => {
    const [fromJson, fromYaml] = await Promise.all([
      made(example("3.1/json/train-travel.json")),
      made(example("3.1/yaml/train-travel.yaml")),
    ]);

    expect(fromYaml.adapter.tool.callables.map(({ name, parameters }) => [name, parameters])).toEqual(
      fromJson.adapter.tool.callables.map(({ name, parameters }) => [name, parameters]),
    );
  });

  test.each<[string, () => string, string, Record<string, Value>, { method: string; target: string }]>([
    [
      "GitHub",
      () => github,
      "repos_get",
      { owner: "me", repo: "a b" },
      { method: "GET", target: "/base/repos/me/a%20b" },
    ],
    [
      "GitHub",
      () => github,
      "repos_get_content",
      { owner: "me", repo: "x", path: "src/a b.ts", ref: "main" },
      { method: "GET", target: "/base/repos/me/x/contents/src/a%20b.ts?ref=main" },
    ],
    [
      "GitHub",
      () => github,
      "issues_create",
      { owner: "me", repo: "x", title: "It breaks", labels: ["bug", { name: "ui" }], assignees: ["you"] },
      { method: "POST", target: "/base/repos/me/x/issues" },
    ],
    [
      "GitHub",
      () => github,
      "actions_set_selected_repos_for_org_variable",
      { org: "o", name: "N", selected_repository_ids: [1, 2] },
      { method: "PUT", target: "/base/orgs/o/actions/variables/N/repositories" },
    ],
    [
      "Petstore",
      () => example("3.0/json/petstore.json"),
      "addPet",
      { name: "Rex", photoUrls: ["a"], category: { id: 1, name: "dogs" }, status: "sold" },
      { method: "POST", target: "/base/pet" },
    ],
    [
      "Petstore",
      () => example("3.0/json/petstore.json"),
      "findPetsByStatus",
      { status: ["available", "sold"] },
      { method: "GET", target: "/base/pet/findByStatus?status=available&status=sold" },
    ],
    [
      "Petstore",
      () => example("3.0/json/petstore.json"),
      "updatePetWithForm",
      { petId: 4, name: "Rex & co" },
      { method: "POST", target: "/base/pet/4" },
    ],
    [
      "Petstore",
      () => example("3.0/json/petstore.json"),
      "uploadFile",
      { petId: 4, file: new Uint8Array([1, 2]), additionalMetadata: "front" },
      { method: "POST", target: "/base/pet/4/uploadImage" },
    ],
    [
      "Petstore",
      () => example("3.0/json/petstore.json"),
      "createUsersWithListInput",
      { body: [{ username: "a" }, { username: "b" }] },
      { method: "POST", target: "/base/user/createWithList" },
    ],
    [
      "Train Travel",
      () => example("3.1/json/train-travel.json"),
      "get_trips",
      {
        origin: "efdbb9d1-02c2-4bc3-afb7-6788d8782b1e",
        destination: "b2e783e1-c824-4d63-b37a-d8d698862f1d",
        date: "2024-02-01",
        bicycles: true,
      },
      {
        method: "GET",
        target:
          "/base/trips?origin=efdbb9d1-02c2-4bc3-afb7-6788d8782b1e&destination=b2e783e1-c824-4d63-b37a-d8d698862f1d&date=2024-02-01&bicycles=true",
      },
    ],
    [
      "Train Travel",
      () => example("3.1/json/train-travel.json"),
      "create_booking",
      { trip_id: "4f4e4e10-c824-4d63-b37a-d8d698862f1d", passenger_name: "John Doe", has_bicycle: true },
      { method: "POST", target: "/base/bookings" },
    ],
  ])("a request of %s to %s is as the document says", async (_, read, name, args, { method, target }) => {
    const text = read();
    server.answerWith((_received, response) => json(response, { ok: true }));
    const { adapter } = await made(text, {
      auth: { type: "bearer", token: "${TOKEN}" },
      secrets: memorySecrets({ TOKEN: "t0ken-1" }),
    });

    expect(await call(adapter, name, args)).toEqual({ ok: true });

    const [received] = server.received;
    expect([received!.method, `${received!.url.pathname}${received!.url.search}`]).toEqual([method, target]);
    expect(received!.headers.authorization).toBe("Bearer t0ken-1");
    expect(differencesFrom(JSON.parse(text) as Record<string, unknown>, received!, "/base")).toEqual([]);
  });

  test("the styles of parameters are those of the standard", async () => {
    server.answerWith((_received, response) => json(response, null));
    const { adapter } = await made(example("3.1/json/parameters-style.json"));
    const args = { primitive: "blue", array: ["black", "b&w"], object: { R: 100, G: "x y" } };

    const sent = async (name: string, given: Record<string, Value> = args): Promise<string> => {
      await call(adapter, name, given);
      const { url } = server.received.at(-1)!;
      return `${url.pathname.replace("/base/anything/", "")}${url.search}`;
    };

    expect(await sent("paths_standard")).toBe("path/blue/black,b%26w/R,100,G,x%20y");
    expect(await sent("paths_simple_exploded")).toBe("path/simple/blue/black,b%26w/R=100,G=x%20y");
    expect(await sent("paths_label_nonExploded")).toBe("path/label/.blue/.black,b%26w/.R,100,G,x%20y");
    expect(await sent("paths_label_exploded")).toBe("path/label/.blue/.black.b%26w/.R=100.G=x%20y");
    expect(await sent("paths_matrix_nonExploded")).toBe(
      "path/matrix/;primitive=blue/;array=black,b%26w/;object=R,100,G,x%20y",
    );
    expect(await sent("paths_matrix_exploded")).toBe(
      "path/matrix/;primitive=blue/;array=black;array=b%26w/;R=100;G=x%20y",
    );
    expect(await sent("query_form_nonExploded")).toBe("query/form?primitive=blue&array=black,b%26w&object=R,100,G,x+y");
    expect(await sent("query_form_exploded")).toBe("query/form?primitive=blue&array=black&array=b%26w&R=100&G=x+y");
    const { array, object } = args;
    expect(await sent("query_spaceDelimited_nonExploded", { array, object })).toBe(
      "query/spaceDelimited?array=black%20b%26w&object=R%20100%20G%20x+y",
    );
    expect(await sent("query_pipeDelimited_nonExploded", { array, object })).toBe(
      "query/pipeDelimited?array=black%7Cb%26w&object=R%7C100%7CG%7Cx+y",
    );
    expect(await sent("query_deepObject_nonExploded", { object: { R: 1, deep: { a: 2 }, list: [1, 2] } })).toBe(
      "query/deepObject?object%5BR%5D=1&object%5Bdeep%5D%5Ba%5D=2&object%5Blist%5D=1&object%5Blist%5D=2",
    );
    await call(adapter, "headers_simple_exploded", args);
    expect(server.received.at(-1)!.headers).toMatchObject({
      primitive: "blue",
      array: "black,b&w",
      object: "R=100,G=x y",
    });
  });
});

/** `#/$defs/…` that lead nowhere. */
function danglingReferences(schemas: readonly unknown[]): string[] {
  return schemas.flatMap((schema) => {
    const text = JSON.stringify(schema ?? {});
    const names = new Set(Object.keys((schema as { $defs?: object } | undefined)?.$defs ?? {}));
    return [...text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)]
      .map(([, name]) => name!)
      .filter((name) => !names.has(name));
  });
}

/** A document with these paths. */
const documentOf = (paths: unknown, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  openapi: "3.0.3",
  info: { title: "Library", description: "Books of the town.\n\nMore of it." },
  paths,
  ...more,
});
const ok = { responses: { 200: { description: "" } } };

describe("a document", () => {
  test("gives the tool its description, and operations their names, texts and hints", async () => {
    const { adapter } = await made(
      documentOf({
        "/books/{id}": {
          get: { operationId: "books/get-one", summary: "A book", tags: ["Reading"], ...ok },
          delete: ok,
        },
        "/list": { get: { operationId: "list", ...ok }, put: { operationId: "list", deprecated: true, ...ok } },
        "/class": { get: { operationId: "class", ...ok } },
      }),
    );

    expect(adapter.tool.description).toBe("Library: Books of the town.");
    expect(adapter.tool.callables.map(({ name, hints }) => [name, hints])).toEqual(
      [
        ["books_get_one", { readOnly: true, idempotent: true }],
        ["delete_books_id", { destructive: true, idempotent: true }],
        // `list` is an attribute that every tool has in Python, and `class` a keyword.
        ["list__2", { idempotent: true }],
        ["list_", { readOnly: true, idempotent: true }],
        ["class_", { readOnly: true, idempotent: true }],
      ].sort(
        (a, b) =>
          adapter.tool.callables.findIndex(({ name }) => name === a[0]) -
          adapter.tool.callables.findIndex(({ name }) => name === b[0]),
      ),
    );
    expect(adapter.tool.callables[0]!.description).toBe("A book\n\nGET /books/{id} [Reading]");
    expect(adapter.tool.callables.find(({ name }) => name === "list__2")!.description).toBe("Deprecated.\n\nPUT /list");
  });

  test("keeps parameters of one name apart, and sends each under its own", async () => {
    server.answerWith((_received, response) => json(response, null));
    const parameter = (place: string, name = "id"): unknown => ({
      name,
      in: place,
      required: place === "path",
      schema: { type: "string" },
    });
    const { adapter } = await made(
      documentOf({
        "/a/{id}": {
          parameters: [parameter("path"), { ...(parameter("query") as object), description: "of the path" }],
          post: {
            ...ok,
            parameters: [
              { ...(parameter("query") as object), description: "own" },
              parameter("header"),
              parameter("query", "per-page"),
              parameter("query", "per_page"),
            ],
            requestBody: {
              content: { "application/json": { schema: { properties: { id: { type: "integer" }, from: {} } } } },
            },
          },
        },
      }),
    );

    const [callable] = adapter.tool.callables;
    expect(callable!.parameters.map(({ name }) => name)).toEqual([
      "id",
      "query_id",
      "header_id",
      "per_page",
      "query_per_page",
      "body_id",
      "from_",
    ]);
    expect(callable!.parameters[1]!.description).toBe("own");
    await call(adapter, "post_a_id", {
      id: "p",
      query_id: "q",
      header_id: "h",
      per_page: "1",
      query_per_page: "2",
      body_id: 5,
      from_: "x",
    });

    const { url, headers, body } = server.received[0]!;
    expect(`${url.pathname}${url.search}`).toBe("/base/a/p?id=q&per-page=1&per_page=2");
    expect([headers.id, body.toString()]).toEqual(["h", '{"id":5,"from":"x"}']);
  });

  test("has its references followed: in paths, parameters, bodies, responses, and in circles of schemas", async () => {
    const { adapter, problems } = await made(
      documentOf(
        {
          "/a": { $ref: "#/components/x-paths/a" },
          "/b": {
            get: {
              parameters: [{ $ref: "#/components/parameters/Size" }],
              responses: { 200: { $ref: "#/components/responses/Node" } },
            },
          },
        },
        {
          components: {
            "x-paths": { a: { post: { requestBody: { $ref: "#/components/requestBodies/Node" }, ...ok } } },
            parameters: { Size: { name: "size", in: "query", schema: { $ref: "#/components/schemas/Size" } } },
            requestBodies: {
              Node: {
                required: true,
                content: { "application/json": { schema: { $ref: "#/components/schemas/Node" } } },
              },
            },
            responses: {
              Node: {
                description: "",
                content: { "application/json": { schema: { $ref: "#/components/schemas/Node" } } },
              },
            },
            schemas: {
              Size: { type: "string", enum: ["s", "l"], nullable: true },
              Node: {
                type: "object",
                required: ["name", "id"],
                properties: {
                  id: { type: "integer", readOnly: true },
                  name: { type: "string" },
                  weight: { type: "number", minimum: 0, exclusiveMinimum: true },
                  children: { type: "array", items: { $ref: "#/components/schemas/Node" } },
                },
              },
            },
          },
        },
      ),
    );

    expect(problems).toEqual([]);
    const [post, get] = adapter.tool.callables;
    expect(post!.inputSchema).toMatchObject({
      type: "object",
      required: ["name"],
      properties: { weight: { exclusiveMinimum: 0 }, children: { items: { $ref: "#/$defs/Node" } } },
      $defs: { Node: { properties: { children: { items: { $ref: "#/$defs/Node" } } } } },
    });
    expect(post!.parameters.map(({ name }) => name)).toEqual(["name", "weight", "children"]);
    expect(get!.parameters[0]!.schema).toEqual({ type: ["string", "null"], enum: ["s", "l", null] });
    expect(get!.outputSchema).toMatchObject({ $ref: "#/$defs/Node", $defs: { Node: { type: "object" } } });
  });

  test("takes operations by tag, id and path", async () => {
    const document = documentOf({
      "/books": {
        get: { tags: ["read"], operationId: "books/list", ...ok },
        post: { tags: ["write"], operationId: "books/add", ...ok },
      },
      "/books/{id}": { get: { tags: ["read"], operationId: "books/get", ...ok } },
      "/people": { get: { tags: ["read", "people"], operationId: "people/list", ...ok } },
    });
    const names = async (options: Partial<OpenApiOptions>): Promise<string[]> =>
      (await made(document, options)).adapter.tool.callables.map(({ name }) => name);

    expect(await names({ include: { tags: ["read"] }, exclude: { paths: ["/people*"] } })).toEqual([
      "books_list",
      "books_get",
    ]);
    expect(await names({ include: { operations: ["books/*"] } })).toEqual(["books_list", "books_add", "books_get"]);
    expect(await names({ include: { operations: ["people_list"], paths: ["/books/{id}"] } })).toEqual([
      "books_get",
      "people_list",
    ]);
    expect((await made(document, { include: { tags: ["none"] } })).problems).toMatchObject([
      { message: expect.stringContaining("no operation") },
    ]);
  });

  test("names its servers; an operation's own goes first, and `baseUrl` before all", async () => {
    server.answerWith((_received, response) => json(response, null));
    const document = documentOf(
      {
        "/a": { get: { operationId: "a", ...ok } },
        "/b": { get: { operationId: "b", servers: [{ url: "/other" }], ...ok } },
      },
      {
        servers: [
          {
            url: "{scheme}://127.0.0.1:{port}/v{version}/",
            variables: {
              scheme: { default: "http" },
              port: { default: new URL(server.origin).port },
              version: { default: "2" },
            },
          },
        ],
      },
    );
    const { adapter } = await openApiTools(document, { name: "x", documentUrl: `${server.origin}/docs/openapi.json` });

    await call(adapter, "a");
    await call(adapter, "b");
    await call((await made(document)).adapter, "b");

    expect(server.received.map(({ url }) => url.pathname)).toEqual(["/v2/a", "/other/b", "/base/b"]);
  });

  test("says by its security schemes which secrets are sent", async () => {
    server.answerWith((_received, response) => json(response, null));
    const document = documentOf(
      {
        "/key": { get: { operationId: "key", ...ok } },
        "/either": { get: { operationId: "either", security: [{ login: [] }, { key: [], inQuery: [] }], ...ok } },
        "/optional": { get: { operationId: "optional", security: [{}, { token: [] }], ...ok } },
        "/open": { get: { operationId: "open", security: [], ...ok } },
        "/cookie": { get: { operationId: "cookie", security: [{ inCookie: [] }], ...ok } },
      },
      {
        security: [{ key: [] }],
        components: {
          securitySchemes: {
            key: { type: "apiKey", in: "header", name: "X-Key" },
            inQuery: { type: "apiKey", in: "query", name: "q" },
            inCookie: { type: "apiKey", in: "cookie", name: "c" },
            login: { type: "http", scheme: "basic" },
            token: { type: "oauth2", flows: {} },
          },
        },
      },
    );
    const secrets = memorySecrets({ X_KEY: "key-of-x", X_IN_QUERY: "query-of-x" });
    const { adapter, problems } = await made(document, { secrets });
    const sent = async (name: string): Promise<unknown[]> => {
      await call(adapter, name);
      const { headers, url } = server.received.at(-1)!;
      return [headers["x-key"], url.search, headers.authorization];
    };

    expect(await sent("key")).toEqual(["key-of-x", "", undefined]);
    expect(await sent("either")).toEqual(["key-of-x", "?q=query-of-x", undefined]);
    expect(await sent("optional")).toEqual([undefined, "", undefined]);
    expect(await sent("open")).toEqual([undefined, "", undefined]);
    await secrets.set("X_LOGIN_USER", "me");
    await secrets.set("X_LOGIN_PASSWORD", "pass-word");
    await secrets.set("X_TOKEN", "token-of-x");
    expect(await sent("either")).toEqual([undefined, "", `Basic ${btoa("me:pass-word")}`]);
    expect(await sent("optional")).toEqual([undefined, "", "Bearer token-of-x"]);
    expect(problems).toMatchObject([
      {
        field: "/components/securitySchemes/inCookie",
        message: expect.stringContaining("GET /cookie goes without a part"),
      },
    ]);

    const renamed = await made(document, {
      secrets: memorySecrets({ MINE: "my-own-key" }),
      schemes: { key: "k ${MINE}" },
    });
    await call(renamed.adapter, "key");
    expect(server.received.at(-1)!.headers["x-key"]).toBe("k my-own-key");
    await expect(call((await made(document)).adapter, "key")).rejects.toMatchObject({
      code: "SECRET_NOT_FOUND",
      secretName: "X_KEY",
    });
  });

  test("has bodies that no list of parameters can say: one parameter takes the whole", async () => {
    server.answerWith((_received, response) => json(response, null));
    const body = (type: string, schema: unknown): unknown => ({
      ...ok,
      requestBody: { required: true, content: { [type]: { schema } } },
    });
    const { adapter } = await made(
      documentOf({
        "/any": { post: body("application/json", { type: "object", additionalProperties: true }) },
        "/one": { post: body("application/json", { oneOf: [{ type: "string" }, { type: "object" }] }) },
        "/bytes": { post: body("application/octet-stream", { type: "string", format: "binary" }) },
        "/text": { post: body("text/csv", { type: "string" }) },
        "/patch": { patch: body("application/merge-patch+json", { type: "object", properties: { a: {} } }) },
        "/empty": { post: body("application/json", { type: "object", properties: { a: {} } }) },
      }),
    );

    await call(adapter, "post_any", { body: { a: 1 } });
    await call(adapter, "post_one", { body: "text" });
    await call(adapter, "post_bytes", { body: new Uint8Array([1, 255]) });
    await call(adapter, "post_text", { body: "a;b" });
    await call(adapter, "patch_patch", { a: [1] });
    await call(adapter, "post_empty");

    expect(
      server.received.map(({ headers, body: sent }) => [headers["content-type"], sent.toString("latin1")]),
    ).toEqual([
      ["application/json", '{"a":1}'],
      ["application/json", '"text"'],
      ["application/octet-stream", "\x01\xff"],
      ["text/csv", "a;b"],
      ["application/merge-patch+json", '{"a":[1]}'],
      ["application/json", "{}"],
    ]);
    expect(adapter.tool.callables[2]!.parameters).toMatchObject([{ name: "body", type: "bytes", required: true }]);
  });
});

describe("a faulty document", () => {
  test("loses the operations at fault, each with its pointer and, in YAML, its line; the rest loads", async () => {
    const text = [
      "openapi: 3.1.0",
      "paths:",
      "  /good: {get: {operationId: good}}",
      "  /nowhere:",
      "    get:",
      "      parameters:",
      "        - $ref: '#/components/parameters/None'",
      "  /elsewhere: {get: {parameters: [{$ref: 'other.yaml#/a'}]}}",
      "  /circle: {$ref: '#/components/x/a'}",
      "  /nameless: {get: {parameters: [{in: query}]}}",
      "  /place: {get: {parameters: [{name: a, in: body}]}}",
      "  /style: {get: {parameters: [{name: a, in: query, style: matrix}]}}",
      "  /cookie: {get: {parameters: [{name: a, in: cookie, required: true}]}}",
      "  /host: {get: {parameters: [{name: Host, in: header, required: true}]}}",
      "  /trace: {trace: {}}",
      "  /list: {get: []}",
      "  /params: {get: {parameters: {a: 1}}}",
      "  /body: {get: {requestBody: {required: true, content: {a/b: {}}}}}",
      "  /content: {post: {requestBody: {}}}",
      "  /form: {post: {requestBody: {content: {multipart/form-data: {schema: {type: string}}}}}}",
      "  /open{: {get: {}}",
      "  no-slash: {get: {}}",
      "  /a/../b: {get: {}}",
      "  /proto: {get: {parameters: [{$ref: '#/constructor'}]}}",
      "  /number: {get: {operationId: 5}}",
      "  /text: text",
      "components:",
      "  x: {a: {$ref: '#/components/x/b'}, b: {$ref: '#/components/x/a'}}",
    ].join("\n");

    const { adapter, problems } = await made(text);

    expect(adapter.tool.callables.map(({ name }) => name)).toEqual(["good"]);
    const told = problems.map(({ line, field, message }) => [line, field, message] as const);
    const expected: [number, string, string][] = [
      [
        7,
        "/paths/~1nowhere/get/parameters/0",
        "GET /nowhere is left out: the reference #/components/parameters/None leads nowhere",
      ],
      [8, "/paths/~1elsewhere/get/parameters/0", "other.yaml#/a is another document"],
      [9, "/paths/~1circle", "leads in a circle"],
      [10, "/paths/~1nameless/get/parameters/0", "the parameter has no name"],
      [11, "/paths/~1place/get/parameters/0", "'body', which is none of"],
      [12, "/paths/~1style/get/parameters/0/style", "'matrix' is no style"],
      [13, "/paths/~1cookie/get/parameters/0", "cookies of its choice"],
      [14, "/paths/~1host/get/parameters/0", "does not let a page send"],
      [15, "/paths/~1trace/trace", "TRACE"],
      [16, "/paths/~1list/get", "it must be an object, not a list"],
      [17, "/paths/~1params/get/parameters", "it must be a list, not an object"],
      [18, "/paths/~1body/get/requestBody", "no body with a GET request"],
      [19, "/paths/~1content/post/requestBody", "no content"],
      [20, "/paths/~1form/post/requestBody/content/multipart~1form-data", "an object with properties"],
      [21, "/paths/~1open{", "a { without its }"],
      [22, "/paths/no-slash", "does not begin with /"],
      [23, "/paths/~1a~1..~1b", "leads out of the server's address"],
      [24, "/paths/~1proto/get/parameters/0", "leads nowhere"],
      [25, "/paths/~1number/get/operationId", "it must be text, not a number"],
      [26, "/paths/~1text", "it must be an object, not text"],
    ];
    expect(told.map(([line, field]) => [line, field])).toEqual(expected.map(([line, field]) => [line, field]));
    expected.forEach(([, , reason], index) => expect(told[index]![2]).toContain(reason));
  });

  test.each<[string, string, number?]>([
    ["{", "it is not valid JSON"],
    ["a: [1", "it is not valid YAML", 1],
    ["- a", "it is no object"],
    ["openapi: 3.0.0\npaths: {}\npaths: {}", "it is not valid YAML", 3],
    ["swagger: '2.0'", "convert it to OpenAPI 3"],
    ["openapi: 4.0.0", 'its version is "4.0.0"'],
    ["{}", "it does not say"],
  ])("%j is refused as a whole", async (text, reason, line) => {
    const failure: unknown = await made(text).catch((error: unknown) => error);

    expect(failure).toMatchObject({ code: "OPENAPI_DOCUMENT", message: expect.stringContaining(reason) });
    if (line !== undefined) expect(failure).toMatchObject({ line });
  });

  test("that contains itself, given as an object, is a problem of the operation", async () => {
    const schema: Record<string, unknown> = { type: "object", properties: {} };
    schema.properties = { child: schema };
    const body = { content: { "application/json": { schema } } };

    const { adapter, problems } = await made(
      documentOf({ "/a": { post: { requestBody: body, ...ok } }, "/b": { get: ok } }),
    );

    expect(adapter.tool.callables.map(({ name }) => name)).toEqual(["get_b"]);
    expect(problems).toMatchObject([{ message: expect.stringContaining("contains itself") }]);
  });

  test("without a server says so of each operation", async () => {
    const { adapter, problems } = await openApiTools(documentOf({ "/a": { get: ok } }), { name: "x" });

    expect(adapter.tool.callables).toEqual([]);
    expect(problems).toMatchObject([
      { field: "/servers", message: "GET /a is left out: the document names no server. Give a `base_url`" },
    ]);
  });
});

describe("a tool file of type openapi", () => {
  const load = (text: string, options: Parameters<typeof loadToolFiles>[1] = {}): ReturnType<typeof loadToolFiles> =>
    loadToolFiles([{ file: "tools/x.yaml", text: `name: x\ntype: openapi\n${text}` }], options);
  const library = JSON.stringify(documentOf({ "/books": { get: { operationId: "books", ...ok } } }));

  test("fetches its document, and reaches the service beside it", async () => {
    server.answerWith(({ url }, response) => {
      if (url.pathname === "/docs/api.json")
        response.writeHead(200, { "content-type": "application/json" }).end(library);
      else json(response, ["a book"]);
    });
    const { adapters } = load(`url: ${server.origin}/docs/api.json?v=1\nheaders: {X-A: b}`);

    expect(await call(adapters[0]!, "books")).toEqual(["a book"]);
    expect(await call(adapters[0]!, "books")).toEqual(["a book"]);

    expect(server.received.map(({ url }) => `${url.pathname}${url.search}`)).toEqual([
      "/docs/api.json?v=1",
      "/books",
      "/books",
    ]);
    expect(server.received[1]!.headers["x-a"]).toBe("b");
    expect(adapters[0]!.tool).toMatchObject({ name: "x", callables: [{ name: "books" }] });
  });

  test("reads a stored document", async () => {
    server.answerWith((_received, response) => json(response, 1));
    const readDocument = (name: string): Promise<Uint8Array | undefined> =>
      Promise.resolve(name === "library.json" ? new TextEncoder().encode(library) : undefined);

    const { adapters } = load(`file: library.json\nbase_url: ${server.origin}`, { readDocument });
    const missing = load("file: none.json", { readDocument });

    expect(await call(adapters[0]!, "books")).toBe(1);
    await expect(call(missing.adapters[0]!, "books")).rejects.toThrow(
      "none.json: no document is stored under this name",
    );
  });

  test("tells of what is wrong with its document, and tries again at the next call", async () => {
    const told: unknown[] = [];
    server.answerWith((_received, response, count) => {
      if (count === 0) response.writeHead(404).end("gone");
      else if (count === 1) response.writeHead(200).end("swagger: '2.0'");
      else response.writeHead(200).end(library.replace('"/books"', '"books"'));
    });
    const registry = new ToolRegistry({ onProblem: (problem) => told.push(problem) });
    registry.register(load(`url: ${server.origin}/api.json`).adapters[0]!);

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
