import { beforeEach, describe, expect, inject, test } from "vitest";

import { PythonFloat, Tuple, type Value } from "../../../src/protocol/index.js";
import type { CorsError } from "../../../src/tools/index.js";
import { callRecipe, type RecipeCall } from "../../lone-calls/recipe-call.js";

// Not the port that others use: its log is looked at.
const server = inject("toolServers")[1]!;
const { host } = new URL(server);

interface CallOptions extends Partial<RecipeCall> {
  /** Seconds. */
  readonly timeout?: number;
}

function call(
  recipe: string,
  args: Record<string, Value> = {},
  { base = `${server}/open`, timeout = 10, ...rest }: CallOptions = {},
): Promise<Value> {
  return callRecipe(recipe, args, { base, file: `timeout: ${timeout}`, ...rest });
}

interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function echo(recipe: string, args: Record<string, Value> = {}, options: CallOptions = {}): Promise<Echo> {
  return (await call(recipe, args, options)) as unknown as Echo;
}

async function log(): Promise<{ method: string; url: string }[]> {
  const response = await fetch(`${server}/open/log`);
  return (await response.json()) as { method: string; url: string }[];
}

beforeEach(async () => {
  await fetch(`${server}/open/log/clear`);
});

describe("the request", () => {
  test("fills the path, sends the rest as query, and encodes both", async () => {
    const { url } = await echo("{path: 'echo/{id}', params: {q: {}}}", { id: "a/b ?#ü", q: "a b&c" });

    expect(url).toBe("/open/echo/a%2Fb%20%3F%23%C3%BC?q=a+b%26c");
  });

  test("sends numbers, booleans and lists as one would write them in a URL, and leaves out None", async () => {
    const { url } = await echo("{path: echo, params: {n: {}, f: {}, b: {}, l: {}, t: {}, o: {}, none: {}}}", {
      n: 5n,
      f: new PythonFloat(2),
      b: true,
      l: ["x", 1],
      t: Tuple.of("y", "z"),
      o: { a: 1 },
      none: null,
    });

    expect(url).toBe("/open/echo?n=5&f=2&b=true&l=x&l=1&t=y&t=z&o=%7B%22a%22%3A1%7D");
  });

  test("an argument goes before a preset, and a preset before the default of a parameter", async () => {
    const recipe =
      "{path: echo, preset: {b: preset, c: preset, d: fixed}, params: {a: {default: own}, b: {default: own}, c: {}}}";

    expect((await echo(recipe)).url).toBe("/open/echo?d=fixed&a=own&b=preset&c=preset");
    expect((await echo(recipe, { a: "x", b: "y", c: null })).url).toBe("/open/echo?d=fixed&a=x&b=y&c=preset");
  });

  test.each(["POST", "PUT", "PATCH"])("a %s carries its arguments as JSON", async (method) => {
    const received = await echo(`{method: ${method}, path: 'echo/{id}', params: {title: {}, tags: {type: array}}}`, {
      id: 7,
      title: "Ü",
      tags: new Set(["a"]),
    });

    expect(received).toMatchObject({ method, url: "/open/echo/7" });
    expect(received.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(received.body)).toEqual({ title: "Ü", tags: ["a"] });
  });

  test("a POST without arguments carries no body", async () => {
    const received = await echo("{method: POST, path: echo}");

    expect(received.body).toBe("");
    expect(received.headers).not.toHaveProperty("content-type");
  });

  test("a DELETE sends its arguments as query", async () => {
    expect(await echo("{method: DELETE, path: echo, params: {id: {}}}", { id: 1 })).toMatchObject({
      method: "DELETE",
      url: "/open/echo?id=1",
    });
  });

  test("places and names are as the file says", async () => {
    const recipe =
      "{method: POST, path: echo, headers: {X-Fixed: yes}, params: " +
      "{page: {in: query, as: per-page}, key: {in: header, as: X-Key}, text: {in: body, as: content}}}";

    const received = await echo(recipe, { page: 2, key: "k", text: "t" });

    expect(received.url).toBe("/open/echo?per-page=2");
    expect(received.headers).toMatchObject({ "x-key": "k", "x-fixed": "yes" });
    expect(JSON.parse(received.body)).toEqual({ content: "t" });
  });

  test("a form is sent as one, and a raw body as it is", async () => {
    const form = await echo("{method: POST, path: echo, body: form, params: {a: {}, b: {}}}", { a: "x y", b: [1, 2] });
    const text = await echo("{method: POST, path: echo, body: raw, params: {a: {}}}", { a: "x y" });
    const bytes = await echo("{method: POST, path: echo, body: raw, params: {a: {type: bytes}}}", {
      a: new Uint8Array([104, 105]),
    });

    expect([form.headers["content-type"], form.body]).toEqual(["application/x-www-form-urlencoded", "a=x+y&b=1&b=2"]);
    expect([text.headers["content-type"], text.body]).toEqual(["text/plain; charset=utf-8", "x y"]);
    expect([bytes.headers["content-type"], bytes.body]).toEqual(["application/octet-stream", "hi"]);
  });

  test("tells nobody where it comes from and carries no cookies", async () => {
    document.cookie = "secret=1; path=/";

    const { headers } = await echo("{path: echo}");

    expect(headers).not.toHaveProperty("referer");
    expect(headers).not.toHaveProperty("cookie");
  });

  test.each<[string, string, Record<string, Value>]>([
    ["one up in the path", "{path: 'echo/{id}/x'}", { id: ".." }],
    ["a dot in the path", "{path: 'echo/{id}/x'}", { id: "." }],
    ["one up, in two halves", "{path: 'echo/{a}{b}'}", { a: ".", b: "." }],
    ["nothing in the path", "{path: 'echo/{id}'}", { id: "" }],
    ["a missing part of the path", "{path: 'echo/{id}'}", {}],
    ["a dict in the path", "{path: 'echo/{id}', params: {id: {type: object}}}", { id: { a: 1 } }],
    ["a line break in a header", "{path: echo, params: {key: {in: header}}}", { key: "a\r\nX-Evil: 1" }],
    ["text for an integer", "{path: echo, params: {q: {type: integer}}}", { q: "5" }],
    ["what is not among the choices", "{path: echo, params: {q: {enum: [a, b]}}}", { q: "c" }],
    ["an unknown parameter", "{path: echo, params: {q: {}}}", { r: 1 }],
    ["bytes in a query", "{path: echo, params: {q: {}}}", { q: new Uint8Array(2) }],
    ["nan in JSON", "{method: POST, path: echo, params: {q: {}}}", { q: Number.NaN }],
    ["a huge integer in JSON", "{method: POST, path: echo, params: {q: {}}}", { q: 2n ** 60n }],
    ["a dict with numbers for keys in JSON", "{method: POST, path: echo, params: {q: {}}}", { q: new Map([[1, 2]]) }],
  ])("%s is refused, and nothing is sent", async (_, recipe, args) => {
    await expect(call(recipe, args)).rejects.toMatchObject({ name: "ToolArgumentError", code: "TOOL_ARGUMENT" });

    expect(await log()).toEqual([]);
  });

  test("names the parameter, what it takes and what it got", async () => {
    await expect(call("{params: {count: {type: integer}}}", { count: "notint" })).rejects.toThrow(
      "Tool 'x' failed: Parameter 'count' must be an integer, not str 'notint'",
    );
  });
});

describe("the answer", () => {
  test.each([
    ["JSON", "json", { city: "Oslo", celsius: 4.5, tags: ["cold", "wet"], none: null }],
    ["text", "text", "grüße\n"],
    ["text in its own charset", "latin1", "æ;ø"],
    ["bytes", "bytes", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255])],
    ["text without a type", "untyped", "plain"],
    ["nothing", "empty", null],
  ])("is %s by its content type", async (_, path, expected) => {
    expect(await call(`{path: ${path}}`)).toEqual(expected);
  });

  test("is what the recipe says, where it says so", async () => {
    expect(await call("{path: untyped, response: bytes}")).toEqual(new TextEncoder().encode("plain"));
    expect(await call("{path: json, response: text}")).toMatch(/^\{"city"/);
  });

  test("keeps the digits of large integers", async () => {
    expect(await call("{path: big-json}")).toEqual({ id: 9007199254740993n, n: 1 });
  });

  test("that is not the JSON it claims to be is an error with the text", async () => {
    await expect(call("{path: bad-json}")).rejects.toMatchObject({
      name: "ToolCallError",
      message: expect.stringContaining("not the JSON"),
    });
  });

  test("of status 400 and more is an error with status and body", async () => {
    const failure = await call("{path: 'status/500', params: {q: {}}}", { q: 1 }).catch((error: unknown) => error);

    expect(failure).toMatchObject({ name: "ToolCallError", message: "Tool 'x' failed: HTTP 500: status 500" });
    expect((failure as CorsError).details()).toEqual({
      tool_name: "x",
      tool_args: { q: 1 },
      cause: "HTTP 500: status 500",
      status: 500,
      body: "status 500",
    });
  });

  test("that breaks off is an error", async () => {
    await expect(call("{path: broken}")).rejects.toMatchObject({
      name: "ToolCallError",
      message: expect.stringContaining("connection broke"),
    });
  });

  test("of 20 MB arrives whole", async () => {
    const bytes = (await call("{path: size, params: {bytes: {}}}", { bytes: 20_000_000 })) as Uint8Array;

    expect(bytes.byteLength).toBe(20_000_000);
    expect(bytes.at(-1)).toBe(7);
  });
});

describe("waiting", () => {
  test("ends with a ToolTimeoutError when the tool outlives its limit", async () => {
    const failure = await call("{path: never}", {}, { timeout: 0.2 }).catch((error: unknown) => error);

    expect(failure).toMatchObject({ name: "ToolTimeoutError", message: "Tool 'x' timed out after 0.2s" });
  });

  test("ends when the run is stopped", async () => {
    const run = new AbortController();

    const result = call("{path: never}", {}, { signal: run.signal });
    run.abort();

    await expect(result).rejects.toMatchObject({ code: "TOOL_CANCELLED" });
  });

  test("overlaps with other calls, equal ones too", async () => {
    const servers = inject("toolServers");

    const calls = Array.from({ length: 20 }, (_, index) =>
      call("{path: concurrent, preset: {n: 20}}", {}, { base: `${servers[index % servers.length]!}/open` }),
    );

    expect(await Promise.all(calls)).toEqual(Array(20).fill({ reached: true, maximum: 20 }));
  });
});

describe("what the browser hides", () => {
  test("an answer that CORS keeps from the page is a CorsError with host and header", async () => {
    const failure = await call("{path: json}", {}, { base: `${server}/closed` }).catch((error: unknown) => error);

    expect(failure).toMatchObject({
      name: "CorsError",
      code: "CORS",
      host,
      missingHeaders: ["Access-Control-Allow-Origin"],
    });
    expect((failure as CorsError).message).toContain(`Access-Control-Allow-Origin: ${location.origin}`);
    expect((failure as CorsError).message).toContain("corsProxy");
    expect((failure as CorsError).details()).toMatchObject({ tool_name: "x", host });
  });

  test("a request that must be announced names what may be missing too", async () => {
    const recipe = "{method: PUT, path: json, params: {key: {in: header, as: X-Key}, a: {}}}";

    await expect(call(recipe, { key: "k", a: 1 }, { base: `${server}/simple` })).rejects.toMatchObject({
      name: "CorsError",
      missingHeaders: ["Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers"],
      message: expect.stringMatching(
        /Access-Control-Allow-Methods: PUT.*Access-Control-Allow-Headers: content-type, x-key/,
      ),
    });
  });

  test("finding out sends no argument anywhere and repeats no request that changes something", async () => {
    await call(
      "{method: POST, path: json, body: form, params: {a: {}}}",
      { a: "secret" },
      { base: `${server}/closed` },
    ).catch(() => {});

    expect(await log()).toEqual([
      { method: "POST", url: "/closed/json" },
      { method: "HEAD", url: "/" },
    ]);
  });

  test("where some hosts alone are allowed, finding out follows nothing to others", async () => {
    const options = { base: `${server}/closed`, allowedHosts: [host] };

    const failure = await call("{path: json}", {}, options).catch((error: unknown) => error);

    expect(failure).toMatchObject({ name: "CorsError", host });
    expect((await log()).filter(({ url }) => !url.startsWith("/closed/"))).toEqual([]);
  });

  test("a redirect is not followed, and the error says so", async () => {
    const to = `${server}/open/echo/followed`;

    const result = call("{path: redirect, params: {to: {}}}", { to });

    await expect(result).rejects.toMatchObject({ name: "ToolCallError", message: expect.stringContaining("redirect") });
    expect((await log()).filter(({ url }) => url.includes("/open/echo/followed") && !url.includes("redirect"))).toEqual(
      [],
    );
  });

  test("a redirect that CORS forbids is not followed by the search for the reason either", async () => {
    const to = `${server}/open/echo/followed`;

    await call("{path: redirect, params: {to: {}}}", { to }, { base: `${server}/closed` }).catch(() => {});

    expect((await log()).filter(({ url }) => url.startsWith("/open/echo"))).toEqual([]);
  });

  test("a host that does not answer is no CorsError", async () => {
    // Nothing listens on port 1, and browsers refuse to ask.
    await expect(call("{path: json}", {}, { base: "http://127.0.0.1:1" })).rejects.toMatchObject({
      name: "ToolCallError",
      code: "TOOL_CALL",
      message: expect.stringContaining("127.0.0.1:1 could not be reached"),
    });
  });

  test("a proxy that the user sets carries requests that CORS forbids", async () => {
    const base = `${server}/closed`;

    expect(await call("{path: text}", {}, { base, proxy: `${server}/proxy?url=` })).toBe("grüße\n");
    expect(await call("{path: text}", {}, { base, proxy: `${server}/proxy?url={url}&x=1` })).toBe("grüße\n");
  });

  test("a proxy may follow a redirect", async () => {
    const base = `${server}/closed`;
    const to = `${server}/closed/text`;

    expect(await call("{path: redirect, params: {to: {}}}", { to }, { base, proxy: `${server}/proxy?url=` })).toBe(
      "grüße\n",
    );
  });
});

describe("hosts", () => {
  test.each([
    [["other.example"], false],
    [[], false],
    [["127.0.0.1"], true],
    [[host], true],
    [["127.0.0.1:1"], false],
    [["*.0.0.1"], true],
  ])("with %j allowed, the call is made: %s", async (allowedHosts, allowed) => {
    const result = call("{path: text}", {}, { allowedHosts });

    if (allowed) {
      expect(await result).toBe("grüße\n");
    } else {
      await expect(result).rejects.toMatchObject({ name: "ToolNotAllowedError", code: "HOST_NOT_ALLOWED", host });
      expect(await log()).toEqual([]);
    }
  });

  test("the page's own site is reached by path", async () => {
    const source = await call("{path: 'http-tool.test.ts', response: text}", {}, { base: "/test/browser/tools" });

    expect(source).toContain("the page's own site");
  });

  test("a path of the page's own site is relative to the address of the page", async () => {
    const pageUrl = `${location.origin}/test/browser/dispatch/`;

    const source = await call("{path: 'http-tool.test.ts', response: text}", {}, { base: "../tools", pageUrl });

    expect(source).toContain("the page's own site");
  });

  test("the page's own site is not reached by its host, nor through the proxy", async () => {
    const own = call("{path: x}", {}, { base: location.origin });
    const proxied = call(
      "{path: 'http-tool.test.ts', response: text}",
      {},
      {
        base: "/test/browser/tools",
        proxy: `${server}/proxy?url=`,
      },
    );

    await expect(own).rejects.toMatchObject({
      code: "HOST_NOT_ALLOWED",
      message: expect.stringContaining("as a path"),
    });
    expect(await proxied).toContain("the page's own site");
    expect(await log()).toEqual([]);
  });
});
