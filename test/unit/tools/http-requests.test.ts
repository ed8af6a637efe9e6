import { describe, expect, test } from "vitest";

import { Tuple, type Value } from "../../../src/protocol/index.js";
import { memorySecrets } from "../../../src/secrets/index.js";
import { ToolCallError } from "../../../src/tools/index.js";
import { json } from "../../servers/scripted-server.js";
import { httpService, problemOf, secrets } from "./http-service.js";

const service = httpService();

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
    service.server.answerWith((_, response) => json(response, null));

    await service.call("{path: books}", {}, { secrets, file: `auth: ${auth}` });

    expect(service.server.received[0]!.headers[header]).toBe(expected);
  });

  test("a key in the query arrives there", async () => {
    service.server.answerWith((_, response) => json(response, null));

    await service.call(
      "{path: books, params: {q: {}}}",
      { q: "sea" },
      { secrets, file: "auth: {type: query, name: key, value: '${PASSWORD}'}" },
    );

    expect(service.server.received[0]!.url.searchParams.get("key")).toBe("pass word+1");
    expect(service.server.received[0]!.url.searchParams.get("q")).toBe("sea");
  });

  test("headers are filled in, and a recipe may say otherwise than its file", async () => {
    service.echoHeaders();
    const file = "headers: {X-Key: 'a ${TOKEN} b', X-Price: '$${TOKEN}'}\nauth: {type: bearer, token: '${TOKEN}'}";

    await service.call("{path: books, auth: none}", {}, { secrets, file });

    expect(service.server.received[0]!.headers).toMatchObject({
      "x-key": "a t0ken-of-the-library b",
      "x-price": "${TOKEN}",
    });
    expect(service.server.received[0]!.headers).not.toHaveProperty("authorization");
  });

  test("an argument that looks like a reference stays what it is", async () => {
    service.echoHeaders();

    await service.call(
      "{path: books, params: {q: {}, h: {in: header, as: X-H}}}",
      { q: "${TOKEN}", h: "${TOKEN}" },
      { secrets },
    );

    expect(service.server.received[0]!.url.searchParams.get("q")).toBe("${TOKEN}");
    expect(service.server.received[0]!.headers["x-h"]).toBe("${TOKEN}");
  });

  test("a secret that the service sends back is struck, from answers and from errors", async () => {
    const file = "auth: {type: basic, user: '${USER}', password: '${TOKEN}'}";
    service.echoHeaders();
    const answer = await service.call("{path: books}", {}, { secrets, file });

    service.server.answerWith(({ headers }, response) =>
      response.writeHead(401).end(`no: ${String(headers.authorization)} t0ken-of-the-library`),
    );
    const failure = await service.call("{path: books}", {}, { secrets, file }).catch((error: unknown) => error);

    expect(answer).toMatchObject({ authorization: "Basic [secret TOKEN]" });
    expect(failure).toMatchObject({ message: "Tool 'x' failed: HTTP 401: no: Basic [secret TOKEN] [secret TOKEN]" });
  });

  test("an error that is whole and ends like a secret begins is left as it is", async () => {
    service.server.answerWith((_, response) => response.writeHead(404).end("There is no t0ken-"));

    const failure = service.call("{path: books}", {}, { secrets, file: "auth: {type: bearer, token: '${TOKEN}'}" });

    await expect(failure).rejects.toMatchObject({ message: "Tool 'x' failed: HTTP 404: There is no t0ken-" });
  });

  test("without the secret nothing is sent", async () => {
    service.server.answerWith((_, response) => json(response, null));

    const missing = service.call("{path: books}", {}, { file: "auth: {type: bearer, token: '${TOKEN}'}" });

    await expect(missing).rejects.toMatchObject({ code: "SECRET_NOT_FOUND", secretName: "TOKEN" });
    expect(service.server.received).toEqual([]);
  });

  test("a secret that no header can carry is not shown by the error", async () => {
    const broken = memorySecrets({ TOKEN: "line\nbreak-ü" });

    const failure = await service
      .call("{path: books}", {}, { secrets: broken, file: "auth: {type: bearer, token: '${TOKEN}'}" })
      .catch(String);

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
    service.server.answerWith((_, response) => json(response, null));

    await service.call("{path: books, params: {ids: {}}}", args, { file: `arrays: ${arrays}` });
    await service.call(`{path: books, arrays: ${arrays}, params: {ids: {}}}`, args);
    await service.call(`{path: books, params: {ids: {arrays: ${arrays}}}}`, args, { file: "arrays: comma" });
    await service.call(`{path: books, method: POST, body: form, arrays: ${arrays}, params: {ids: {}}}`, args);

    const [ofFile, ofRecipe, ofParameter, form] = service.server.received;
    expect([ofFile, ofRecipe, ofParameter].map((request) => request!.url.search)).toEqual([search, search, search]);
    expect(form!.body.toString()).toBe(search.slice(1));
  });

  test("in the path and in headers are joined by commas", async () => {
    service.server.answerWith((_, response) => json(response, null));

    await service.call("{path: 'books/{ids}', params: {h: {in: header, as: X-H}}}", { ids: [1, "a/b"], h: ["x", "y"] });

    expect(service.server.received[0]!.url.pathname).toBe("/v1/books/1,a%2Fb");
    expect(service.server.received[0]!.headers["x-h"]).toBe("x,y");
  });
});

describe("bodies", () => {
  test("an array of numbers is a list in JSON, and its bytes in a body of bytes", async () => {
    service.server.answerWith((_, response) => json(response, null));
    const rows = Float64Array.of(0.5, 2);

    await service.call("{path: books, method: POST, params: {rows: {}}}", { rows });
    await service.call("{path: books, method: POST, body: raw, params: {rows: {}}}", { rows });

    const [asJson, asBytes] = service.server.received;
    expect(asJson!.body.toString()).toBe('{"rows":[0.5,2]}');
    expect(new Uint8Array(asBytes!.body)).toEqual(new Uint8Array(rows.buffer));
  });

  test("a multipart form carries texts, numbers, dicts, lists and files", async () => {
    service.server.answerWith((_, response) => json(response, null));
    const recipe =
      "{path: books, method: POST, body: multipart, params: {title: {}, meta: {}, n: {}, cover: {}, scan: {}}}";

    await service.call(recipe, {
      title: "Ü",
      meta: { a: 1 },
      n: [1, 2],
      cover: new Uint8Array([1, 0, 255]),
      scan: Tuple.from<Value>(["page.png", new Uint8Array([7]), "image/png"]),
    });

    const { headers, body } = service.server.received[0]!;
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
    service.server.answerWith((_, response) => json(response, null));
    const raw = (type: string): string => `{path: books, method: POST, body: raw, ${type}params: {data: {}}}`;

    await service.call(raw("content_type: text/csv, "), { data: "a;b" });
    await service.call(raw(""), { data: [1, "b"] });
    await service.call(raw("content_type: application/merge-patch+json, "), { data: "text" });

    expect(service.server.received.map(({ headers, body }) => [headers["content-type"], body.toString()])).toEqual([
      ["text/csv", "a;b"],
      ["application/json", '[1,"b"]'],
      ["application/merge-patch+json", '"text"'],
    ]);
  });
});

test.each([2000, 100_000, 300])(
  "a secret across the place where an error's body is cut, at %i, leaves no piece",
  async (cut) => {
    service.server.answerWith(({ headers }, response) => {
      const echoed = String(headers["x-key"]);
      response.writeHead(500).end(`${"x".repeat(cut - echoed.length + 2)}${echoed}${"x".repeat(200)}`);
    });
    const file = "auth: {type: header, name: X-Key, value: '${TOKEN}'}";
    const recipe = `{path: books, method: POST${cut === 300 ? ", max_response: 300" : ""}}`;

    const failure = await service.call(recipe, {}, { secrets, file }).catch((error: unknown) => error);

    const told = failure instanceof ToolCallError ? JSON.stringify([failure.message, failure.details()]) : "";
    expect(told).toContain("HTTP 500: xxx");
    expect(told).not.toContain("t0ken-o");
  },
);
