import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { memorySecrets } from "../../../src/secrets/index.js";
import { Tuple, type Value } from "../../../src/protocol/index.js";
import { loadToolFiles, ToolRegistry, type HttpToolOptions, type ToolContext } from "../../../src/tools/index.js";
import { json, startScriptedServer, type ScriptedServer } from "../../servers/scripted-server.js";

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

interface Called extends HttpToolOptions {
  /** Lines of the tool file beside its name, type, base URL and recipe. */
  readonly file?: string;
  readonly signal?: AbortSignal;
}

/** Calls the one recipe `get` of a tool whose recipe is given as YAML in flow style. */
async function call(recipe: string, args: Record<string, Value> = {}, options: Called = {}): Promise<Value> {
  const { file = "", signal = new AbortController().signal, ...rest } = options;
  const text = `name: x\ntype: http\nbase_url: ${server.origin}/v1\n${file}\nrecipes:\n  get: ${recipe}\n`;
  const { adapters, problems } = loadToolFiles([{ file: "tools/x.yaml", text }], rest);
  expect(problems).toEqual([]);
  const registry = new ToolRegistry();
  registry.register(adapters[0]!);
  const prepared = registry.prepare("x", "get");
  const context: ToolContext = {
    signal,
    runSkill: () => Promise.reject(new Error("not here")),
    callTool: () => Promise.reject(new Error("not here")),
    report: () => undefined,
  };
  return prepared.invoke(await prepared.validate(args), context);
}

function problemOf(yaml: string): { message: string; line?: number; field?: string } {
  const { problems } = loadToolFiles([{ file: "tools/x.yaml", text: yaml }]);
  expect(problems).toHaveLength(1);
  return problems[0]!;
}

const secrets = memorySecrets({ TOKEN: "t0ken-of-the-library", USER: "reader", PASSWORD: "pass word+1" });
const echoHeaders = (): void => {
  server.answerWith(({ headers, url }, response) => json(response, { ...headers, url: url.href }));
};

describe("who asks", () => {
  test.each([
    ["{type: bearer, token: '${TOKEN}'}", "authorization", "Bearer t0ken-of-the-library"],
    [
      "{type: basic, user: '${USER}', password: '${PASSWORD}'}",
      "authorization",
      `Basic ${Buffer.from("reader:pass word+1").toString("base64")}`,
    ],
    [
      "{type: basic, user: '${TOKEN}'}",
      "authorization",
      `Basic ${Buffer.from("t0ken-of-the-library:").toString("base64")}`,
    ],
    ["{type: header, name: X-Api-Key, value: 'key ${TOKEN}'}", "x-api-key", "key t0ken-of-the-library"],
    [
      "[{type: header, name: X-App, value: '${USER}'}, {type: header, name: X-Key, value: '${TOKEN}'}]",
      "x-key",
      "t0ken-of-the-library",
    ],
  ])("%s arrives as the header it makes", async (auth, header, expected) => {
    server.answerWith((_, response) => json(response, null));

    await call("{path: books}", {}, { secrets, file: `auth: ${auth}` });

    expect(server.received[0]!.headers[header]).toBe(expected);
  });

  test("a key in the query arrives there", async () => {
    server.answerWith((_, response) => json(response, null));

    await call(
      "{path: books, params: {q: {}}}",
      { q: "sea" },
      { secrets, file: "auth: {type: query, name: key, value: '${PASSWORD}'}" },
    );

    expect(server.received[0]!.url.searchParams.get("key")).toBe("pass word+1");
    expect(server.received[0]!.url.searchParams.get("q")).toBe("sea");
  });

  test("headers are filled in, and a recipe may say otherwise than its file", async () => {
    echoHeaders();
    const file = "headers: {X-Key: 'a ${TOKEN} b', X-Price: '$${TOKEN}'}\nauth: {type: bearer, token: '${TOKEN}'}";

    await call("{path: books, auth: none}", {}, { secrets, file });

    expect(server.received[0]!.headers).toMatchObject({ "x-key": "a t0ken-of-the-library b", "x-price": "${TOKEN}" });
    expect(server.received[0]!.headers).not.toHaveProperty("authorization");
  });

  test("an argument that looks like a reference stays what it is", async () => {
    echoHeaders();

    await call(
      "{path: books, params: {q: {}, h: {in: header, as: X-H}}}",
      { q: "${TOKEN}", h: "${TOKEN}" },
      { secrets },
    );

    expect(server.received[0]!.url.searchParams.get("q")).toBe("${TOKEN}");
    expect(server.received[0]!.headers["x-h"]).toBe("${TOKEN}");
  });

  test("a secret that the service sends back is struck, from answers and from errors", async () => {
    const file = "auth: {type: basic, user: '${USER}', password: '${TOKEN}'}";
    echoHeaders();
    const answer = await call("{path: books}", {}, { secrets, file });

    server.answerWith(({ headers }, response) =>
      response.writeHead(401).end(`no: ${String(headers.authorization)} t0ken-of-the-library`),
    );
    const failure = await call("{path: books}", {}, { secrets, file }).catch((error: unknown) => error);

    expect(answer).toMatchObject({ authorization: "Basic [secret TOKEN]" });
    expect(failure).toMatchObject({ message: "Tool 'x' failed: HTTP 401: no: Basic [secret TOKEN] [secret TOKEN]" });
  });

  test("without the secret nothing is sent", async () => {
    server.answerWith((_, response) => json(response, null));

    const missing = call("{path: books}", {}, { file: "auth: {type: bearer, token: '${TOKEN}'}" });

    await expect(missing).rejects.toMatchObject({ code: "SECRET_NOT_FOUND", secretName: "TOKEN" });
    expect(server.received).toEqual([]);
  });

  test("a secret that no header can carry is not shown by the error", async () => {
    const broken = memorySecrets({ TOKEN: "line\nbreak-ü" });

    const failure = await call(
      "{path: books}",
      {},
      { secrets: broken, file: "auth: {type: bearer, token: '${TOKEN}'}" },
    ).catch(String);

    expect(failure).toContain("the header Authorization holds characters");
    expect(failure).not.toContain("break");
  });

  test.each([
    ["auth: {type: bearer, token: abc}", 5, "auth", "write the name of a secret"],
    ["auth: {type: bearer, token: '${a b}'}", 5, "auth", "names no secret"],
    ["auth: {type: header, name: Cookie, value: '${A}'}", 5, "auth", "does not let a page send"],
    ["auth: {type: digest}", 5, "auth", "{type: bearer, token}"],
    ["headers:\n  X-Key: '${'", 6, "headers.X-Key", "names no secret"],
    ["retry: {attempts: 0}", 5, "retry.attempts", "too small"],
    ["retry: {idempotency_key: Host}", 5, "retry.idempotency_key", "does not let a page send"],
    ["max_response: 0", 5, "max_response", "too small"],
    ["arrays: semicolon", 5, "arrays", "invalid option"],
  ])("%s is refused with its line", (lines, line, field, reason) => {
    const problem = problemOf(`name: x\ntype: http\nbase_url: https://a.example\n\n${lines}\nrecipes: {get: {}}\n`);

    expect(problem).toMatchObject({ line, field });
    expect(problem.message.toLowerCase()).toContain(reason);
  });
});

describe("lists", () => {
  test.each([
    ["repeat", "?ids=1&ids=a%26b"],
    ["comma", "?ids=1,a%26b"],
    ["brackets", "?ids%5B%5D=1&ids%5B%5D=a%26b"],
  ])("as %s", async (arrays, search) => {
    const args = { ids: [1, "a&b"] };
    server.answerWith((_, response) => json(response, null));

    await call("{path: books, params: {ids: {}}}", args, { file: `arrays: ${arrays}` });
    await call(`{path: books, arrays: ${arrays}, params: {ids: {}}}`, args);
    await call(`{path: books, params: {ids: {arrays: ${arrays}}}}`, args, { file: "arrays: comma" });
    await call(`{path: books, method: POST, body: form, arrays: ${arrays}, params: {ids: {}}}`, args);

    const [ofFile, ofRecipe, ofParameter, form] = server.received;
    expect([ofFile, ofRecipe, ofParameter].map((request) => request!.url.search)).toEqual([search, search, search]);
    expect(form!.body.toString()).toBe(search.slice(1));
  });

  test("in the path and in headers are joined by commas", async () => {
    server.answerWith((_, response) => json(response, null));

    await call("{path: 'books/{ids}', params: {h: {in: header, as: X-H}}}", { ids: [1, "a/b"], h: ["x", "y"] });

    expect(server.received[0]!.url.pathname).toBe("/v1/books/1,a%2Fb");
    expect(server.received[0]!.headers["x-h"]).toBe("x,y");
  });
});

describe("bodies", () => {
  test("a multipart form carries texts, numbers, dicts, lists and files", async () => {
    server.answerWith((_, response) => json(response, null));
    const recipe =
      "{path: books, method: POST, body: multipart, params: {title: {}, meta: {}, n: {}, cover: {}, scan: {}}}";

    await call(recipe, {
      title: "Ü",
      meta: { a: 1 },
      n: [1, 2],
      cover: new Uint8Array([1, 0, 255]),
      scan: Tuple.from<Value>(["page.png", new Uint8Array([7]), "image/png"]),
    });

    const { headers, body } = server.received[0]!;
    const form = await new Response(new Uint8Array(body), {
      headers: { "content-type": headers["content-type"]! },
    }).formData();
    expect([form.get("title"), form.get("meta"), form.getAll("n")]).toEqual(["Ü", '{"a":1}', ["1", "2"]]);
    const [cover, scan] = [form.get("cover") as File, form.get("scan") as File];
    expect([cover.name, new Uint8Array(await cover.arrayBuffer())]).toEqual(["cover", new Uint8Array([1, 0, 255])]);
    expect([scan.name, scan.type, new Uint8Array(await scan.arrayBuffer())]).toEqual([
      "page.png",
      "image/png",
      new Uint8Array([7]),
    ]);
  });

  test("a raw body has the type that the recipe says, and is JSON where it is no text", async () => {
    server.answerWith((_, response) => json(response, null));
    const raw = (type: string): string => `{path: books, method: POST, body: raw, ${type}params: {data: {}}}`;

    await call(raw("content_type: text/csv, "), { data: "a;b" });
    await call(raw(""), { data: [1, "b"] });
    await call(raw("content_type: application/merge-patch+json, "), { data: "text" });

    expect(server.received.map(({ headers, body }) => [headers["content-type"], body.toString()])).toEqual([
      ["text/csv", "a;b"],
      ["application/json", '[1,"b"]'],
      ["application/merge-patch+json", '"text"'],
    ]);
  });
});

describe("an answer that is too large", () => {
  test.each([
    ["announced", { "content-length": "5000" }],
    ["not announced", {}],
  ])("is an error, and no more of it is read: %s", async (_, headers) => {
    server.answerWith((_received, response) => {
      response.writeHead(200, { "content-type": "application/octet-stream", ...headers });
      response.write(Buffer.alloc(3000));
      if (!("content-length" in headers)) response.write(Buffer.alloc(3000));
    });

    // The server never ends its answer: who waited for the end would wait for the timeout.
    const failure = await call("{path: books, max_response: 4000}").catch((error: unknown) => error);

    expect(failure).toMatchObject({ name: "ResponseTooLargeError", code: "RESPONSE_TOO_LARGE", limit: 4000 });
    expect(String(failure)).toContain("more than 4,000 bytes");
  });

  test("an error's body is cut instead", async () => {
    server.answerWith((_, response) => response.writeHead(500).end("x".repeat(50)));

    await expect(call("{path: books, max_response: 10}")).rejects.toThrow(`HTTP 500: ${"x".repeat(10)}`);
  });

  test("one of just that size is taken", async () => {
    server.answerWith((_, response) => response.writeHead(200, { "content-type": "text/plain" }).end("x".repeat(10)));

    expect(await call("{path: books, max_response: 10}")).toBe("x".repeat(10));
  });
});

test("a HEAD request gives the headers that the page may read", async () => {
  server.answerWith((_, response) => response.writeHead(200, { "x-total": "7" }).end());

  expect(await call("{path: books, method: HEAD}")).toMatchObject({ "x-total": "7" });
});

describe("trying again", () => {
  const file = "retry: {delay: 0.001}";
  const failing = (times: number, status: number, headers: Record<string, string> = {}): void => {
    server.answerWith((_, response, count) => {
      if (count < times) response.writeHead(status, headers).end("busy");
      else json(response, "done");
    });
  };

  test.each([429, 502, 503, 504])("happens after a %i", async (status) => {
    failing(2, status);

    expect(await call("{path: books}", {}, { file })).toBe("done");
    expect(server.received).toHaveLength(3);
  });

  test.each([
    ["after another status", "{path: books}", 500],
    ["for a method that may not be repeated", "{path: books, method: POST, params: {a: {}}}", 503],
    ["when the recipe allows one attempt", "{path: books, retry: {attempts: 1}}", 503],
    ["for a status that the file does not name", "{path: books, retry: {statuses: [429]}}", 503],
  ])("does not happen %s", async (_, recipe, status) => {
    failing(1, status);

    await expect(call(recipe, {}, { file })).rejects.toThrow(`HTTP ${String(status)}: busy`);
    expect(server.received).toHaveLength(1);
  });

  test("ends after the attempts that are allowed, and the error says how many there were", async () => {
    failing(9, 503, { "retry-after": "0" });

    const failure = await call("{path: books}", {}, { file: "retry: {attempts: 4, delay: 0.001}" }).catch(
      (error: unknown) => error,
    );

    expect(server.received).toHaveLength(4);
    expect((failure as { details(): unknown }).details()).toMatchObject({ status: 503, attempts: 4, retry_after: 0 });
  });

  test("happens for any method with an idempotency key, which stays the same", async () => {
    failing(1, 503);
    const recipe =
      "{path: books, method: POST, params: {a: {}}, retry: {delay: 0.001, idempotency_key: Idempotency-Key}}";

    await call(recipe, { a: 1 });
    await call(recipe, { a: 1 });

    const keys = server.received.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test("happens after a connection that broke, and sends the body again", async () => {
    server.answerWith(({ body }, response, count) => {
      if (count === 0) {
        response.writeHead(200, { "content-length": "100" });
        response.write("half", () => response.destroy());
      } else json(response, body.toString());
    });

    expect(await call("{path: books, method: PUT, params: {a: {}}}", { a: 1 }, { file })).toBe('{"a":1}');
  });

  test("does not happen when the service asks for more patience than the file has", async () => {
    failing(1, 429, { "retry-after": "120" });

    const failure = await call("{path: books}", {}, { file }).catch((error: unknown) => error);

    expect((failure as { details(): unknown }).details()).toMatchObject({ status: 429, retry_after: 120 });
    expect(server.received).toHaveLength(1);
  });

  test("is given up with the run", async () => {
    const run = new AbortController();
    server.answerWith((_, response) => {
      response.writeHead(503).end();
      setTimeout(() => run.abort(), 50);
    });

    const waiting = call("{path: books}", {}, { file: "retry: {delay: 60}\n", signal: run.signal });

    await expect(waiting).rejects.toMatchObject({ code: "TOOL_CANCELLED" });
    expect(server.received).toHaveLength(1);
  });
});

describe("pages", () => {
  const books = Array.from({ length: 7 }, (_, index) => index);

  test("by cursor are joined, up to as many as were asked for", async () => {
    const recipe = "{path: books, paginate: {style: cursor, param: after, next: meta.next, items: data.items}}";
    server.answerWith(({ url }, response) => {
      const from = Number(url.searchParams.get("after") ?? 0);
      json(response, {
        data: { items: books.slice(from, from + 2) },
        meta: { next: from + 2 < 7 ? String(from + 2) : null },
      });
    });

    expect(await call(recipe)).toEqual({ data: { items: [0, 1] }, meta: { next: "2" } });
    expect(await call(recipe, { pages: 1 })).toEqual([0, 1]);
    expect(await call(recipe, { pages: 3 })).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await call(recipe, { pages: 100 })).toEqual(books);
  });

  test("by number start where the call says, and end at a short one", async () => {
    const recipe =
      "{path: books, params: {p: {type: integer}, size: {type: integer, default: 3}}, paginate: {style: page, param: p, size: size}}";
    server.answerWith(({ url }, response) => {
      const from = (Number(url.searchParams.get("p") ?? 1) - 1) * 3;
      json(response, books.slice(from, from + 3));
    });

    expect(await call(recipe, { pages: 10 })).toEqual(books);
    expect(server.received.map(({ url }) => url.search)).toEqual(["?size=3", "?p=2&size=3", "?p=3&size=3"]);
    expect(await call(recipe, { pages: 10, p: 2 })).toEqual([3, 4, 5, 6]);
  });

  test("by offset go on after as many as came, also in a body, and end at an empty one", async () => {
    const recipe =
      "{path: books, method: POST, params: {from: {type: integer, in: body}}, paginate: {style: offset, param: from, items: list}}";
    server.answerWith(({ body }, response) => {
      const { from = 0 } = JSON.parse(body.toString() || "{}") as { from?: number };
      json(response, { list: books.slice(from, from + 4) });
    });

    expect(await call(recipe, { pages: 10 })).toEqual(books);
    expect(server.received.map(({ body }) => body.toString())).toEqual(["", '{"from":4}', '{"from":7}']);
  });

  test("by links of the header or of the answer are followed at the same site, with the same secrets", async () => {
    const auth = "auth: {type: bearer, token: '${TOKEN}'}";
    server.answerWith(({ url }, response) => {
      const page = Number(url.searchParams.get("page") ?? 1);
      const link = page < 3 ? `</v1/books?page=${String(page + 1)}>; rel="next", <x>; rel="last"` : "";
      json(response, page, { link });
    });
    await expect(call("{path: books, paginate: {style: link}}", { pages: 5 }, { secrets, file: auth })).rejects.toThrow(
      "the answer is no list",
    );

    server.answerWith(({ url }, response) => {
      const page = Number(url.searchParams.get("page") ?? 1);
      const target = `${server.origin}/v1/books?page=${String(page + 1)}`;
      json(
        response,
        { of: [page], next: page < 3 ? target : null },
        { link: page < 3 ? `<${target}>; title="a, b"; rel="next last"` : "" },
      );
    });
    const recipe = (more: string): string => `{path: books, paginate: {style: link, items: of${more}}}`;

    expect(await call(recipe(""), { pages: 5 }, { secrets, file: auth })).toEqual([1, 2, 3]);
    expect(await call(recipe(", next: next"), { pages: 2 }, { secrets, file: auth })).toEqual([1, 2]);
    expect(new Set(server.received.map(({ headers }) => headers.authorization))).toEqual(
      new Set(["Bearer t0ken-of-the-library"]),
    );
  });

  test("at another site are not asked for", async () => {
    server.answerWith((_, response) => json(response, [1], { link: '<https://evil.example/x>; rel="next"' }));

    await expect(call("{path: books, paginate: {style: link}}", { pages: 2 })).rejects.toThrow(
      "another site (https://evil.example)",
    );
  });

  test("that lead back end the walk", async () => {
    server.answerWith((_, response) => json(response, { items: [1], next: "same" }));

    const recipe = "{path: books, paginate: {style: cursor, param: c, next: next, items: items}}";

    expect(await call(recipe, { pages: 50 })).toEqual([1, 1]);
  });

  test.each([0, -1, 101, 1.5, "all"])("%j are refused", async (pages) => {
    const recipe = "{path: books, paginate: {style: page}}";

    await expect(call(recipe, { pages })).rejects.toMatchObject({
      code: "TOOL_ARGUMENT",
      message: expect.stringContaining("pages"),
    });
  });

  test("are asked for by another name where a parameter has that one", () => {
    const file = (more: string): string =>
      `name: x\ntype: http\nbase_url: https://a.example\nrecipes:\n  get:\n    params: {pages: {}}\n    paginate: {style: page${more}}\n`;

    expect(problemOf(file(""))).toMatchObject({ line: 7, field: "recipes.get.paginate" });
    const { adapters } = loadToolFiles([{ file: "tools/x.yaml", text: file(", argument: max_pages") }]);
    expect(adapters[0]!.tool.callables[0]!.parameters.map(({ name }) => name)).toEqual(["pages", "max_pages"]);
  });
});
