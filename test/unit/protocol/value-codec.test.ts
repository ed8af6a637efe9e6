import { describe, expect, test } from "vitest";

import { Content, decodeValue, encodeValue, MAX_DEPTH, type Value } from "../../../src/protocol/index.js";

const malformed: readonly (readonly [name: string, text: string])[] = [
  ["text that is no JSON", "{"],
  ["an unknown tag", '{"$new": 1}'],
  ["bytes that were not sent", '{"$bytes": 0}'],
  ["bytes by another index", '{"$bytes": "0"}'],
  ["numbers of a kind that is none", '{"$array": ["float16", 0]}'],
  ["numbers that were not sent", '{"$array": ["float64", 0]}'],
  ["an integer that is none", '{"$int": "12"}'],
  ["an integer with a fraction", '{"$int": "0x1.8"}'],
  ["a float that is none", '{"$float": "one"}'],
  ["a tuple that is no list", '{"$tuple": {}}'],
  ["a set that is no list", '{"$set": 1}'],
  ["a map whose entry is no pair", '{"$map": [[1]]}'],
  ["a map whose entry is no list", '{"$map": [1]}'],
  ["an escaped dict that is a list", '{"$dict": []}'],
  ["a time of unknown kind", '{"$time": ["moment", "now"]}'],
  ["a time without text", '{"$time": ["date"]}'],
  ["an object without fields", '{"$object": ["Point"]}'],
  ["an opaque value without a type", '{"$opaque": ["<x>"]}'],
];

test("a piece of content is sent with its bytes, and what it does not say is null", () => {
  const image = new Content({ kind: "image", mimeType: "image/png", data: new Uint8Array([1, 2]) });

  const { text, buffers } = encodeValue([image]);

  expect(JSON.parse(text)).toEqual([{ $content: ["image", "image/png", { $bytes: 0 }, null, null, null] }]);
  expect(buffers).toEqual([new Uint8Array([1, 2])]);
});

describe("decodeValue", () => {
  test.each(malformed)("refuses %s", (_name, text) => {
    expect(() => decodeValue({ text, buffers: [] })).toThrow(expect.objectContaining({ code: "MALFORMED_VALUE" }));
  });

  test("makes no prototype of the key __proto__", () => {
    const value = decodeValue({ text: '{"__proto__": {"breached": {"$int": "0x1"}}}', buffers: [] });

    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect("breached" in (value as object)).toBe(false);
  });

  test("makes a typed array of numbers, wherever their bytes begin", () => {
    const numbers = Float64Array.of(0.5, -2);
    const shifted = new Uint8Array(20);
    shifted.set(new Uint8Array(numbers.buffer), 3);
    const buffers = [new Uint8Array(numbers.buffer), shifted.subarray(3, 19), Uint8Array.of(255, 255)];

    const text = '[{"$array": ["float64", 0]}, {"$array": ["float64", 1]}, {"$array": ["int16", 2]}]';

    expect(decodeValue({ text, buffers })).toStrictEqual([numbers, numbers, Int16Array.of(-1)]);
  });

  test("refuses numbers that are cut", () => {
    const cut = { text: '{"$array": ["int32", 0]}', buffers: [new Uint8Array(6)] };

    expect(() => decodeValue(cut)).toThrow(expect.objectContaining({ code: "MALFORMED_VALUE" }));
  });

  test("leaves a dict with a tag among other keys as it is", () => {
    expect(decodeValue({ text: '{"$int": "0x1", "a": 1}', buffers: [] })).toEqual({ $int: "0x1", a: 1 });
  });
});

describe("encodeValue", () => {
  test("takes a view of bytes as bytes, and an array of numbers as a list", () => {
    const view = new DataView(Uint8Array.of(9, 1, 2, 9).buffer, 1, 2);
    const numbers = Float64Array.of(0.5, 2);

    const { text, buffers } = encodeValue([view, numbers] as unknown as Value);

    expect(JSON.parse(text)).toEqual([{ $bytes: 0 }, [0.5, 2]]);
    expect(buffers).toEqual([Uint8Array.of(1, 2)]);
  });

  test.each<[string, Value, string]>([
    ["an exact integer", 2 ** 53, "9007199254740992"],
    ["an integer whose digits JavaScript rounds", 2 ** 60, '{"$int":"0x1000000000000000"}'],
    ["its negative", -(2 ** 60), '{"$int":"-0x1000000000000000"}'],
    ["a number that JavaScript writes with an exponent", 1e21, "1e+21"],
    ["an object that looks like a tag", { $set: [1] }, '{"$dict":{"$set":[1]}}'],
    ["one that was escaped already", { $dict: { $set: 1 } }, '{"$dict":{"$dict":{"$dict":{"$set":1}}}}'],
  ])("writes %s", (_name, value, text) => {
    expect(encodeValue(value).text).toBe(text);
  });

  test("copies bytes, so that their owner keeps them", () => {
    const bytes = Uint8Array.of(1, 2);

    const [copy] = encodeValue([bytes]).buffers;

    expect(copy).toEqual(bytes);
    expect(copy?.buffer).not.toBe(bytes.buffer);
  });

  test("names the place of what cannot cross", () => {
    const value = { list: [1, { deep: () => 1 }] } as unknown as Value;

    expect(() => encodeValue(value)).toThrow("value.list[1].deep");
  });

  test("takes the same object twice, which is no cycle", () => {
    const shared = { a: 1 };

    expect(encodeValue([shared, shared]).text).toBe('[{"a":1},{"a":1}]');
  });

  test.each([
    [MAX_DEPTH, true],
    [MAX_DEPTH + 1, false],
  ])("of %i nested lists crosses: %s", (depth, crosses) => {
    let value: Value = 1;
    for (let level = 0; level < depth; level += 1) value = [value];
    const encode = (): unknown => encodeValue(value);

    if (crosses) expect(encode).not.toThrow();
    else expect(encode).toThrow(expect.objectContaining({ code: "VALUE_NOT_TRANSFERABLE" }));
  });

  test.each([
    ["lists", "[", "]"],
    ["dicts", '{"a":', "}"],
    ["tuples", '{"$tuple":[', "]}"],
    ["dicts with other keys than texts", '{"$map":[[1,', "]]}"],
    ["sets", '{"$set":[', "]}"],
  ])("comes back from Python in as many %s as may cross, and is refused in more", (_, begin, end) => {
    const nested = (levels: number): string => begin.repeat(levels) + "1" + end.repeat(levels);
    const decode = (levels: number) => (): unknown => decodeValue({ text: nested(levels), buffers: [] });

    // In the place of what is deeper Python sends a dict that says so.
    expect(decode(MAX_DEPTH + 1)).not.toThrow();
    for (const levels of [MAX_DEPTH + 2, 1000, 20_000]) {
      expect(decode(levels)).toThrow(expect.objectContaining({ code: "MALFORMED_VALUE" }));
    }
  });
});

describe("what holds no data that Python could have", () => {
  test.each([
    [
      "a Response",
      () => new Response("{}"),
      "it is a Response, which has no counterpart in Python; pass `await response.json()`",
    ],
    ["an Error", () => new Error("no"), "its `message`, or throw it"],
    ["an Error with fields", () => Object.assign(new Error("no"), { code: "NO" }), "its `message`, or throw it"],
    ["a URL", () => new URL("https://example.org"), "pass its `href`"],
    ["a Blob", () => new Blob(["a"]), "its bytes"],
    ["Headers", () => new Headers(), "`Object.fromEntries(headers)`"],
    ["a RegExp", () => /a/, "its `source`"],
    ["a promise", () => Promise.resolve(1), "what it resolves with"],
    [
      "an instance without fields",
      () =>
        new (class Secret {
          readonly #hidden = 1;
          get shown(): number {
            return this.#hidden;
          }
        })(),
      "it is a Secret",
    ],
  ])("%s is refused with what to pass instead", (_, make, message) => {
    const encode = (value: unknown): unknown => Reflect.apply(encodeValue, undefined, [value]) as unknown;

    expect(() => encode({ found: make() })).toThrow(expect.objectContaining({ code: "VALUE_NOT_TRANSFERABLE" }));
    expect(() => encode({ found: make() })).toThrow(message);
    expect(() => encode({ found: make() })).toThrow("value.found");
  });

  test("but instances with fields, and objects of no class, are data", () => {
    class Point {
      readonly x = 1;
    }
    const bare = Object.assign(Object.create(null) as Record<string, number>, { y: 2 });

    expect(decodeValue(encodeValue({ bare }))).toEqual({ bare: { y: 2 } });
    expect(Reflect.apply(encodeValue, undefined, [new Point()])).toMatchObject({ text: '{"x":1}' });
  });
});
