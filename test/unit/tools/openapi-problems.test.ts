import { describe, expect, test } from "vitest";

import { openApiTools } from "../../../src/tools/index.js";
import { documentOf, ok, openApiService } from "./openapi-service.js";

const service = openApiService();

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

    const { adapter, problems } = await service.made(text);

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

  test("tells once what many operations have alike, and how many they are", async () => {
    const asksCookie = (name: string): unknown => ({ get: { parameters: [{ name, in: "cookie" }], ...ok } });
    const trace = { trace: ok };
    const paths = Array.from({ length: 197 }, (_, index): [string, unknown] => [
      `/a${String(index)}`,
      asksCookie("sid"),
    ]);

    const { adapter, problems } = await service.made(
      documentOf({ ...Object.fromEntries(paths), "/b": asksCookie("other"), "/c": trace, "/d": trace }),
    );

    expect(adapter.tool.callables).toHaveLength(198);
    expect(problems.map(({ field, message }) => [field, message])).toEqual([
      [
        "/paths/~1a0/get/parameters/0",
        "197 operations go without a part (GET /a0, GET /a1, GET /a2, GET /a3, GET /a4 and 192 more): " +
          "the parameter 'sid' cannot be sent: a web page cannot send cookies of its choice",
      ],
      ["/paths/~1b/get/parameters/0", expect.stringContaining("GET /b goes without a part: ")],
      [
        "/paths/~1c/trace",
        "2 operations are left out (TRACE /c, TRACE /d): a browser does not let a page send TRACE requests",
      ],
    ]);
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
    const failure: unknown = await service.made(text).catch((error: unknown) => error);

    expect(failure).toMatchObject({ code: "OPENAPI_DOCUMENT", message: expect.stringContaining(reason) });
    if (line !== undefined) expect(failure).toMatchObject({ line });
  });

  test("that contains itself, given as an object, is a problem of the operation", async () => {
    const schema: Record<string, unknown> = { type: "object", properties: {} };
    schema.properties = { child: schema };
    const body = { content: { "application/json": { schema } } };

    const { adapter, problems } = await service.made(
      documentOf({ "/a": { post: { requestBody: body, ...ok } }, "/b": { get: ok } }),
    );

    expect(adapter.tool.callables.map(({ name }) => name)).toEqual(["get_b"]);
    expect(problems).toMatchObject([{ message: expect.stringContaining("contains itself") }]);
  });

  test("without a server says so of each operation", async () => {
    const { adapter, problems } = await openApiTools(documentOf({ "/a": { get: ok } }), { name: "x" });

    expect(adapter.tool.callables).toEqual([]);
    expect(problems).toMatchObject([
      { field: "/servers", message: "GET /a is left out: the document names no server. Give a `baseUrl`" },
    ]);
  });
});
