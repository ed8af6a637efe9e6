import { describe, expect, test } from "vitest";

import { json } from "../../servers/scripted-server.js";
import { callOperation, documentOf, ok, openApiService } from "./openapi-service.js";

const service = openApiService();

const form = (properties: Record<string, unknown>, encoding: Record<string, unknown> = {}): unknown => ({
  content: { "application/x-www-form-urlencoded": { schema: { type: "object", properties }, encoding } },
});

/** The query of the last request, or its form, in the order in which it was sent. */
function pairsSent(): [name: string, value: string][] {
  const { url, body } = service.server.received.at(-1)!;
  return [...new URLSearchParams(body.length === 0 ? url.search : body.toString())];
}

describe("a request of an operation", () => {
  test("writes lists in the style deepObject with the numbers of their items", async () => {
    service.server.answerWith((_received, response) => json(response, null));
    const deep = { style: "deepObject", explode: true };
    const item = { type: "object", properties: { price: { type: "string" }, sizes: { type: "array", items: {} } } };
    const { adapter, problems } = await service.made(
      documentOf({
        "/charges": {
          get: {
            operationId: "charges",
            parameters: [
              { name: "expand", in: "query", ...deep, schema: { type: "array", items: { type: "string" } } },
              { name: "created", in: "query", ...deep, schema: { type: "object" } },
            ],
            ...ok,
          },
          post: {
            operationId: "charge",
            requestBody: form(
              {
                items: { type: "array", items: item },
                expand: { type: "array", items: { type: "string" } },
                metadata: { type: "object" },
                tags: { type: "array", items: { type: "string" } },
              },
              { items: deep, expand: deep, metadata: deep },
            ),
            ...ok,
          },
        },
      }),
    );
    expect(problems).toEqual([]);

    await callOperation(adapter, "charges", {
      expand: ["customer", "a&b"],
      created: { gte: 5, any: [1, { of: "x" }] },
    });
    expect(pairsSent()).toEqual([
      ["expand[0]", "customer"],
      ["expand[1]", "a&b"],
      ["created[gte]", "5"],
      ["created[any][0]", "1"],
      ["created[any][1][of]", "x"],
    ]);

    await callOperation(adapter, "charge", {
      items: [{ price: "p_1", sizes: [1, [2]] }, { price: "p_2" }],
      expand: ["customer"],
      metadata: { order: "6735" },
      tags: ["new", "old"],
    });
    expect(pairsSent()).toEqual([
      ["items[0][price]", "p_1"],
      ["items[0][sizes][0]", "1"],
      ["items[0][sizes][1][0]", "2"],
      ["items[1][price]", "p_2"],
      ["expand[0]", "customer"],
      ["metadata[order]", "6735"],
      // What its document says no style of, the standard has repeated.
      ["tags", "new"],
      ["tags", "old"],
    ]);
  });

  test("goes without a body where the form that it may send is empty", async () => {
    service.server.answerWith((_received, response) => json(response, null));
    const empty = form({});
    const { adapter, problems } = await service.made(
      documentOf({
        "/a": {
          get: { operationId: "read", requestBody: empty, ...ok },
          delete: { operationId: "remove", requestBody: empty, ...ok },
          post: {
            operationId: "touch",
            requestBody: { content: { "multipart/form-data": { schema: { allOf: [{ type: "object" }] } } } },
            ...ok,
          },
          put: {
            operationId: "put",
            requestBody: { content: { "application/x-www-form-urlencoded": {} }, required: true },
            ...ok,
          },
        },
      }),
    );
    expect(problems).toEqual([]);

    for (const name of ["read", "remove", "touch", "put"]) await callOperation(adapter, name);

    expect(
      service.server.received.map(({ method, body, headers }) => [method, body.length, headers["content-type"]]),
    ).toEqual([
      ["GET", 0, undefined],
      ["DELETE", 0, undefined],
      ["POST", 0, undefined],
      ["PUT", 0, undefined],
    ]);
    expect(adapter.tool.callables.map(({ parameters }) => parameters)).toEqual([[], [], [], []]);
  });

  test("goes to a path without its fragment, and with what its query says", async () => {
    service.server.answerWith((_received, response) => json(response, null));
    const parameter = (name: string, place = "query"): unknown => ({
      name,
      in: place,
      required: place === "path",
      schema: {},
    });
    const file = { parameters: [parameter("id", "path"), parameter("fields")] };
    const { adapter, problems } = await service.made(
      documentOf({
        "/files/{id}": { ...file, get: ok },
        "/files/{id}#add_shared_link": { ...file, put: ok },
        "/files/{id}?fields=shared_link&beta=a%26b#get": { ...file, get: ok },
        "/search?q={text}&lang={lang}&page={page}": {
          parameters: [parameter("text", "path"), parameter("lang")],
          get: ok,
        },
      }),
    );
    expect(problems).toEqual([]);
    expect(
      adapter.tool.callables.map(({ name, parameters }) => [name, ...parameters.map((each) => each.name)]),
    ).toEqual([
      ["get_files_id", "id", "fields"],
      ["put_files_id_add_shared_link", "id", "fields"],
      ["get_files_id_fields_shared_link_beta_a_26b_get", "id"],
      ["get_search_q_text_lang_lang_page_page", "q", "page", "lang"],
    ]);

    await callOperation(adapter, "get_files_id", { id: "1", fields: "size" });
    await callOperation(adapter, "put_files_id_add_shared_link", { id: "1", fields: "size" });
    await callOperation(adapter, "get_files_id_fields_shared_link_beta_a_26b_get", { id: "1" });
    await callOperation(adapter, "get_search_q_text_lang_lang_page_page", { q: "a b", page: "2" });

    expect(
      service.server.received.map(({ method, url }) => `${method} ${url.pathname}${url.search}${url.hash}`),
    ).toEqual([
      "GET /base/files/1?fields=size",
      "PUT /base/files/1?fields=size",
      "GET /base/files/1?fields=shared_link&beta=a%26b",
      "GET /base/search?q=a+b&page=2",
    ]);
  });

  test("takes its parameters by their exact names, too", async () => {
    service.server.answerWith((_received, response) => json(response, null));
    const parameter = (name: string, place: string): unknown => ({
      name,
      in: place,
      required: place === "path",
      schema: {},
    });
    const schema = { properties: { "x-y": {}, from: {} } };
    const { adapter } = await service.made(
      documentOf({
        "/a/{the-id}": {
          parameters: [parameter("the-id", "path"), parameter("if-match", "header"), parameter("x-y", "query")],
          post: { operationId: "save", requestBody: { content: { "application/json": { schema } } }, ...ok },
        },
      }),
    );

    await callOperation(adapter, "save", { "the-id": "1", "if-match": "tag", "x-y": "2", body_x_y: 3, from: 4 });
    await expect(callOperation(adapter, "save", { "the-id": "1", the_id: "2" })).rejects.toThrow(
      "'the_id' was given twice",
    );
    await expect(callOperation(adapter, "save", { "the-id": "1", "if-none-match": "tag" })).rejects.toThrow(
      "Unknown parameter 'if-none-match'. It takes: the_id, if_match, x_y, body_x_y, from_",
    );

    const { url, headers, body } = service.server.received[0]!;
    expect([url.pathname + url.search, headers["if-match"], body.toString()]).toEqual([
      "/base/a/1?x-y=2",
      "tag",
      '{"x-y":3,"from":4}',
    ]);
  });

  test("puts further arguments into a body that takes more than it names", async () => {
    service.server.answerWith((_received, response) => json(response, null));
    const body = (schema: unknown): unknown => ({
      ...ok,
      requestBody: { content: { "application/json": { schema } } },
    });
    const named = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const { adapter } = await service.made(
      documentOf({
        "/any": { put: body({ ...named, additionalProperties: true }) },
        "/numbers": { put: body({ allOf: [{ ...named, additionalProperties: { type: "integer" } }] }) },
        "/closed": { put: body(named) },
      }),
    );

    await callOperation(adapter, "put_any", { name: "a", public: false, "x-y": [1] });
    await callOperation(adapter, "put_numbers", { name: "a", size: 3 });
    await expect(callOperation(adapter, "put_numbers", { size: "large" })).rejects.toThrow(
      "Parameter 'size' must be an integer, not str 'large'",
    );
    await expect(callOperation(adapter, "put_closed", { size: 3 })).rejects.toThrow("Unknown parameter 'size'");

    expect(adapter.tool.callables.map(({ parameters }) => parameters.map(({ name }) => name))).toEqual([
      ["name"],
      ["name"],
      ["name"],
    ]);
    expect(service.server.received.map(({ body: sent }) => sent.toString())).toEqual([
      '{"name":"a","public":false,"x-y":[1]}',
      '{"name":"a","size":3}',
    ]);
  });

  test("keeps the slash of the path / below a base with a path", async () => {
    service.server.answerWith((_received, response) => json(response, null));
    const { adapter } = await service.made(documentOf({ "/": { get: ok }, "/a/": { get: ok } }));

    await callOperation(adapter, "get");
    await callOperation(adapter, "get_a");

    expect(service.server.received.map(({ url }) => url.pathname)).toEqual(["/base/", "/base/a/"]);
  });
});
