import { describe, expect, test } from "vitest";

import { json } from "../../servers/scripted-server.js";
import { httpService } from "./http-service.js";

const service = httpService();

describe("an answer that is too large", () => {
  test.each([
    ["announced", { "content-length": "5000" }],
    ["not announced", {}],
  ])("is an error, and no more of it is read: %s", async (_, headers) => {
    service.server.answerWith((_received, response) => {
      response.writeHead(200, { "content-type": "application/octet-stream", ...headers });
      response.write(Buffer.alloc(3000));
      if (!("content-length" in headers)) response.write(Buffer.alloc(3000));
    });

    // The server never ends its answer: who waited for the end would wait for the timeout.
    const failure = await service.call("{path: books, max_response: 4000}").catch((error: unknown) => error);

    expect(failure).toMatchObject({ name: "ResponseTooLargeError", code: "RESPONSE_TOO_LARGE", limit: 4000 });
    expect(String(failure)).toContain("more than 4,000 bytes");
  });

  test("an error's body is cut instead", async () => {
    service.server.answerWith((_, response) => response.writeHead(500).end("x".repeat(50)));

    await expect(service.call("{path: books, max_response: 10}")).rejects.toThrow(`HTTP 500: ${"x".repeat(10)}`);
  });

  test("one of just that size is taken", async () => {
    service.server.answerWith((_, response) =>
      response.writeHead(200, { "content-type": "text/plain" }).end("x".repeat(10)),
    );

    expect(await service.call("{path: books, max_response: 10}")).toBe("x".repeat(10));
  });
});

test("a HEAD request gives the headers that the page may read", async () => {
  service.server.answerWith((_, response) => response.writeHead(200, { "x-total": "7" }).end());

  expect(await service.call("{path: books, method: HEAD}")).toMatchObject({ "x-total": "7" });
});

describe("trying again", () => {
  const file = "retry: {delay: 0.001}";
  const failing = (times: number, status: number, headers: Record<string, string> = {}): void => {
    service.server.answerWith((_, response, count) => {
      if (count < times) response.writeHead(status, headers).end("busy");
      else json(response, "done");
    });
  };

  test.each([429, 502, 503, 504])("happens after a %i", async (status) => {
    failing(2, status);

    expect(await service.call("{path: books}", {}, { file })).toBe("done");
    expect(service.server.received).toHaveLength(3);
  });

  test.each([
    ["after another status", "{path: books}", 500],
    ["for a method that may not be repeated", "{path: books, method: POST, params: {a: {}}}", 503],
    ["when the recipe allows one attempt", "{path: books, retry: {attempts: 1}}", 503],
    ["for a status that the file does not name", "{path: books, retry: {statuses: [429]}}", 503],
  ])("does not happen %s", async (_, recipe, status) => {
    failing(1, status);

    await expect(service.call(recipe, {}, { file })).rejects.toThrow(`HTTP ${String(status)}: busy`);
    expect(service.server.received).toHaveLength(1);
  });

  test("ends after the attempts that are allowed, and the error says how many there were", async () => {
    failing(9, 503, { "retry-after": "0" });

    const failure = await service
      .call("{path: books}", {}, { file: "retry: {attempts: 4, delay: 0.001}" })
      .catch((error: unknown) => error);

    expect(service.server.received).toHaveLength(4);
    expect((failure as { details(): unknown }).details()).toMatchObject({ status: 503, attempts: 4, retry_after: 0 });
  });

  test("happens for any method with an idempotency key, which stays the same", async () => {
    failing(1, 503);
    const recipe =
      "{path: books, method: POST, params: {a: {}}, retry: {delay: 0.001, idempotency_key: Idempotency-Key}}";

    await service.call(recipe, { a: 1 });
    await service.call(recipe, { a: 1 });

    const keys = service.server.received.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test("happens after a connection that broke, and sends the body again", async () => {
    service.server.answerWith(({ body }, response, count) => {
      if (count === 0) {
        response.writeHead(200, { "content-length": "100" });
        response.write("half", () => response.destroy());
      } else json(response, body.toString());
    });

    expect(await service.call("{path: books, method: PUT, params: {a: {}}}", { a: 1 }, { file })).toBe('{"a":1}');
  });

  test("does not happen when the service asks for more patience than the file has", async () => {
    failing(1, 429, { "retry-after": "120" });

    const failure = await service.call("{path: books}", {}, { file }).catch((error: unknown) => error);

    expect((failure as { details(): unknown }).details()).toMatchObject({ status: 429, retry_after: 120 });
    expect(service.server.received).toHaveLength(1);
  });

  test("is given up with the run", async () => {
    const run = new AbortController();
    service.server.answerWith((_, response) => {
      response.writeHead(503).end();
      setTimeout(() => run.abort(), 50);
    });

    const waiting = service.call("{path: books}", {}, { file: "retry: {delay: 60}\n", signal: run.signal });

    await expect(waiting).rejects.toMatchObject({ code: "TOOL_CANCELLED" });
    expect(service.server.received).toHaveLength(1);
  });
});
