import { describe, expect, test } from "vitest";

import { memorySecrets } from "../../../src/secrets/index.js";
import { openApiTools, type OpenApiOptions } from "../../../src/tools/index.js";
import { json } from "../../servers/scripted-server.js";
import { callOperation, documentOf, ok, openApiService } from "./openapi-service.js";

const service = openApiService();

describe("a document", () => {
  test("gives the tool its description, and operations their names, texts and hints", async () => {
    const { adapter } = await service.made(
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
    service.server.answerWith((_received, response) => json(response, null));
    const parameter = (place: string, name = "id"): unknown => ({
      name,
      in: place,
      required: place === "path",
      schema: { type: "string" },
    });
    const { adapter } = await service.made(
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
    await callOperation(adapter, "post_a_id", {
      id: "p",
      query_id: "q",
      header_id: "h",
      per_page: "1",
      query_per_page: "2",
      body_id: 5,
      from_: "x",
    });

    const { url, headers, body } = service.server.received[0]!;
    expect(`${url.pathname}${url.search}`).toBe("/base/a/p?id=q&per-page=1&per_page=2");
    expect([headers.id, body.toString()]).toEqual(["h", '{"id":5,"from":"x"}']);
  });

  test("has its references followed: in paths, parameters, bodies, responses, and in circles of schemas", async () => {
    const { adapter, problems } = await service.made(
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
      (await service.made(document, options)).adapter.tool.callables.map(({ name }) => name);

    expect(await names({ include: { tags: ["read"] }, exclude: { paths: ["/people*"] } })).toEqual([
      "books_list",
      "books_get",
    ]);
    expect(await names({ include: { operations: ["books/*"] } })).toEqual(["books_list", "books_add", "books_get"]);
    expect(await names({ include: { operations: ["people_list"], paths: ["/books/{id}"] } })).toEqual([
      "books_get",
      "people_list",
    ]);
    expect((await service.made(document, { include: { tags: ["none"] } })).problems).toMatchObject([
      { message: expect.stringContaining("no operation") },
    ]);
  });

  test("names its servers; an operation's own goes first, and `baseUrl` before all", async () => {
    service.server.answerWith((_received, response) => json(response, null));
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
              port: { default: new URL(service.server.origin).port },
              version: { default: "2" },
            },
          },
        ],
      },
    );
    const { adapter } = await openApiTools(document, {
      name: "x",
      documentUrl: `${service.server.origin}/docs/openapi.json`,
    });

    await callOperation(adapter, "a");
    await callOperation(adapter, "b");
    await callOperation((await service.made(document)).adapter, "b");

    expect(service.server.received.map(({ url }) => url.pathname)).toEqual(["/v2/a", "/other/b", "/base/b"]);
  });

  test("says by its security schemes which secrets are sent", async () => {
    service.server.answerWith((_received, response) => json(response, null));
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
    const { adapter, problems } = await service.made(document, { secrets });
    const sent = async (name: string): Promise<unknown[]> => {
      await callOperation(adapter, name);
      const { headers, url } = service.server.received.at(-1)!;
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

    const renamed = await service.made(document, {
      secrets: memorySecrets({ MINE: "my-own-key" }),
      schemes: { key: "k ${MINE}" },
    });
    await callOperation(renamed.adapter, "key");
    expect(service.server.received.at(-1)!.headers["x-key"]).toBe("k my-own-key");
    await expect(callOperation((await service.made(document)).adapter, "key")).rejects.toMatchObject({
      code: "SECRET_NOT_FOUND",
      secretName: "X_KEY",
    });
  });

  test("has bodies that no list of parameters can say: one parameter takes the whole", async () => {
    service.server.answerWith((_received, response) => json(response, null));
    const body = (type: string, schema: unknown): unknown => ({
      ...ok,
      requestBody: { required: true, content: { [type]: { schema } } },
    });
    const { adapter } = await service.made(
      documentOf({
        "/any": { post: body("application/json", { type: "object", additionalProperties: true }) },
        "/one": { post: body("application/json", { oneOf: [{ type: "string" }, { type: "object" }] }) },
        "/bytes": { post: body("application/octet-stream", { type: "string", format: "binary" }) },
        "/text": { post: body("text/csv", { type: "string" }) },
        "/patch": { patch: body("application/merge-patch+json", { type: "object", properties: { a: {} } }) },
        "/empty": { post: body("application/json", { type: "object", properties: { a: {} } }) },
      }),
    );

    await callOperation(adapter, "post_any", { body: { a: 1 } });
    await callOperation(adapter, "post_one", { body: "text" });
    await callOperation(adapter, "post_bytes", { body: new Uint8Array([1, 255]) });
    await callOperation(adapter, "post_text", { body: "a;b" });
    await callOperation(adapter, "patch_patch", { a: [1] });
    await callOperation(adapter, "post_empty");

    expect(
      service.server.received.map(({ headers, body: sent }) => [headers["content-type"], sent.toString("latin1")]),
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
