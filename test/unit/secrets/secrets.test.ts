import { describe, expect, test } from "vitest";

import { Tuple, type Value } from "../../../src/protocol/index.js";
import {
  fillReferences,
  memorySecrets,
  referencesIn,
  SecretNotFoundError,
  UsedSecrets,
} from "../../../src/secrets/index.js";
import { ToolCallError, type ToolProgress } from "../../../src/tools/index.js";

const KEY = 'k3y-"of/the&library"';

async function used(secrets: Readonly<Record<string, string>> = { KEY }): Promise<UsedSecrets> {
  const filter = new UsedSecrets(memorySecrets(secrets));
  for (const name of await filter.names()) await filter.get(name);
  return filter;
}

describe("references", () => {
  test("are replaced, and $${ stands for ${", async () => {
    const filter = new UsedSecrets(memorySecrets({ A: "first", B_2: "second" }));

    expect(await filter.fill("x ${A}-${B_2}-${A} $${A}", "tool 'x'")).toBe("x first-second-first ${A}");
    expect(referencesIn("${A} $${C} ${B_2} ${A}")).toEqual(["A", "B_2"]);
  });

  test("are not looked for in the values of secrets", () => {
    expect(fillReferences("${A}", () => "${B}$&")).toBe("${B}$&");
  });

  test.each(["${}", "${a b}", "${A", "x ${1}", "${", "${a.b}"])("%s names none and is refused", (text) => {
    expect(() => referencesIn(text)).toThrow("names no secret");
  });

  test("to a secret that is not there say which and who needs it", async () => {
    const missing = new UsedSecrets(memorySecrets({ A: "" }));

    await expect(missing.fill("${A}", "tool 'library'")).rejects.toBeInstanceOf(SecretNotFoundError);
    await expect(new UsedSecrets().fill("${A}", "tool 'library'")).rejects.toMatchObject({
      code: "SECRET_NOT_FOUND",
      message: expect.stringMatching(/^The secret A, which tool 'library' needs/),
    });
  });
});

describe("what was used", () => {
  test.each<[string, Value, Value]>([
    ["a text", `a ${KEY} b ${KEY}`, "a [secret KEY] b [secret KEY]"],
    ["a URL", `https://x/?k=${encodeURIComponent(KEY)}`, "https://x/?k=[secret KEY]"],
    ["a form", new URLSearchParams({ k: KEY }).toString(), "k=[secret KEY]"],
    ["JSON in a text", JSON.stringify({ k: KEY }), '{"k":"[secret KEY]"}'],
    ["lists and dicts", { a: [1, { b: KEY }] }, { a: [1, { b: "[secret KEY]" }] }],
    ["keys", { [KEY]: 1 }, { "[secret KEY]": 1 }],
    ["sets", new Set(["a", KEY]), new Set(["a", "[secret KEY]"])],
    ["maps", new Map([[KEY, KEY]]), new Map([["[secret KEY]", "[secret KEY]"]])],
    [
      "bytes, as stars of the same length",
      new TextEncoder().encode(`<${KEY}>`),
      new TextEncoder().encode(`<${"*".repeat(KEY.length)}>`),
    ],
  ])("is struck from %s", async (_, value, expected) => {
    expect((await used()).strike(value)).toEqual(expected);
  });

  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const hex = Buffer.from(KEY).toString("hex");

  test.each([
    ["percent-encoded with small digits", encodeURIComponent(KEY).toLowerCase()],
    ["percent-encoded with all that RFC 3986 reserves", "k3y%21%27%28x%29%2A", "k3y!'(x)*"],
    ["Base64", base64(KEY)],
    ["Base64 without padding", base64(KEY).replace(/=+$/, "")],
    ["the Base64 of addresses", Buffer.from("??>>??>>??").toString("base64url"), "??>>??>>??"],
    ["hexadecimal", hex],
    ["hexadecimal in capitals", hex.toUpperCase()],
    ["HTML", "k3y-&quot;of/the&amp;library&quot;"],
    ["HTML with numbers", "a&#39;long&#39;key", "a'long'key"],
    ["HTML with hexadecimal numbers", "a&#x27;long&#x27;key", "a'long'key"],
    ["JSON that escapes slashes", JSON.stringify(KEY).slice(1, -1).replaceAll("/", "\\/")],
    ["JSON that is ASCII", "cl\\u00e9-secret", "clé-secret"],
  ])("is struck as %s", async (_, form, secret = KEY) => {
    expect((await used({ KEY: secret })).strike(`<${form}>`)).toMatch(/^<\[secret KEY\]=*>$/);
  });

  test.each(["", "a", "ab", "user:", "Bearer "])("is struck from Base64 that begins with %j", async (before) => {
    const struck = (await used()).strikeText(base64(`${before}${KEY} and more`));

    expect(struck).toContain("[secret KEY]");
    const [left = "", right = ""] = struck.split("[secret KEY]");
    // What is left holds no whole byte of it, but perhaps a part of one at either end.
    expect(left.length).toBeLessThanOrEqual(Math.ceil((before.length * 8) / 6) + 1);
    expect(Buffer.from(right, "base64").toString()).not.toContain(KEY.slice(-3));
  });

  test("is struck from the message and the piece of a report", async () => {
    const filter = await used();

    expect(filter.strikeProgress({ progress: 1, message: KEY, piece: [KEY] })).toEqual({
      progress: 1,
      message: "[secret KEY]",
      piece: ["[secret KEY]"],
    });
    const plain: ToolProgress = { progress: 2, total: 4 };
    expect(filter.strikeProgress(plain)).toEqual(plain);
  });

  test("includes a value that is in no store once it is noted, in each of its forms", () => {
    const filter = new UsedSecrets();

    filter.noteValue("token of x", KEY);

    expect(filter.strike([KEY, encodeURIComponent(KEY)])).toEqual(["[secret token of x]", "[secret token of x]"]);
  });

  test("leaves a tuple a tuple", async () => {
    const struck = (await used()).strike(Tuple.from<Value>([KEY, 1]));

    expect(struck).toBeInstanceOf(Tuple);
    expect(struck).toEqual(Tuple.from<Value>(["[secret KEY]", 1]));
  });

  test("changes nothing of a value without a secret", async () => {
    const value: Value = { a: [Number.NaN, "text", new Uint8Array([1])], b: new Map([[1, new Set([2])]]) };

    expect((await used()).strike(value)).toBe(value);
  });

  test("does not include secrets that nobody asked for, and words too short to tell apart", async () => {
    expect(new UsedSecrets(memorySecrets({ KEY })).strike(KEY)).toBe(KEY);
    expect((await used({ PIN: "none" })).strike("none of it")).toBe("none of it");
  });

  test("leaves no rest when one secret is part of another", async () => {
    expect((await used({ SHORT: "abcdef", LONG: "abcdef-ghijkl" })).strike("abcdef-ghijkl abcdef")).toBe(
      "[secret LONG] [secret SHORT]",
    );
  });

  test("that is a token is struck as long as it is one of the latest of its name", async () => {
    const filter = await used();
    for (let index = 100; index < 200; index += 1) filter.noteToken("token of x", `token-${String(index)}`);
    filter.noteToken("token of y", "token-of-y");

    expect(filter.strike(`token-199 token-of-y ${KEY}`)).toBe("[secret token of x] [secret token of y] [secret KEY]");
    expect(filter.strike("token-100")).toBe("token-100");
  });

  test("that is a token and is used again is the latest", async () => {
    const filter = await used();
    for (let index = 100; index < 200; index += 1) {
      filter.noteToken("token of x", `token-${String(index)}`);
      filter.noteToken("token of x", "token-that-stays");
    }

    expect(filter.strike("token-that-stays")).toBe("[secret token of x]");
  });

  test("is struck without the spaces that a header loses", async () => {
    expect((await used({ KEY: " spaced-key\n" })).strike("it is spaced-key.")).toBe("it is [secret KEY].");
  });

  test("is struck in a form that the adapter notes", async () => {
    const filter = await used();
    filter.note("KEY", "dXNlcjpwYXNz");

    expect(filter.strike("Basic dXNlcjpwYXNz")).toBe("Basic [secret KEY]");
  });

  test("is struck from errors, which keep class, code and details", async () => {
    const filter = await used();
    const error = new ToolCallError("x", `HTTP 401: ${KEY}`, {
      args: { q: KEY },
      details: { status: 401, body: { sent: KEY } },
      cause: new Error(KEY),
    });

    const struck: unknown = await filter.guard(() => Promise.reject(error)).catch((reason: unknown) => reason);

    expect(struck).toBeInstanceOf(ToolCallError);
    expect(struck).toMatchObject({
      name: "ToolCallError",
      code: "TOOL_CALL",
      message: "Tool 'x' failed: HTTP 401: [secret KEY]",
      reason: "HTTP 401: [secret KEY]",
    });
    expect((struck as ToolCallError).cause).toBeUndefined();
    expect((struck as ToolCallError).details()).toEqual({
      tool_name: "x",
      tool_args: { q: "[secret KEY]" },
      cause: "HTTP 401: [secret KEY]",
      status: 401,
      body: { sent: "[secret KEY]" },
    });
    expect(JSON.stringify([struck, String(struck), (struck as Error).stack])).not.toContain("k3y-");
  });

  test("leaves errors alone that hold none", async () => {
    const error = new ToolCallError("x", "no");

    expect((await used()).strikeError(error)).toBe(error);
  });

  test("is shared by those who are handed the same store", async () => {
    const filter = new UsedSecrets(memorySecrets({ KEY }));

    await UsedSecrets.of(filter).get("KEY");

    expect(filter.strike(KEY)).toBe("[secret KEY]");
  });
});

test("a store can be filled and emptied", async () => {
  const store = memorySecrets({ A: "first" });

  await store.set("B", "second");
  await store.delete("A");

  expect(await store.names()).toEqual(["B"]);
  expect([await store.get("A"), await store.get("B")]).toEqual([undefined, "second"]);
});
