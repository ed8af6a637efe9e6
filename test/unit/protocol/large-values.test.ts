import { describe, expect, test, vi } from "vitest";

import {
  bytesOf,
  decodeValue,
  decodeValueInSlices,
  encodeValue,
  encodeValueInSlices,
  MAX_DEPTH,
  textOf,
  type EncodedValue,
  type SentValue,
  type Value,
} from "../../../src/protocol/index.js";
import { decodeLargeValue } from "../../../src/protocol/decode-large-value.js";
import { encodeLargeValue } from "../../../src/protocol/encode-large-value.js";
import { Tuple } from "../../../src/protocol/value.js";

const bytes = Uint8Array.of(1, 2, 3);

describe("a value that is read in slices", () => {
  test.each<[string, Value]>([
    [
      "plain JSON",
      { text: 'a "quoted" \\ \u0001 é \u{1f600}', list: [1, -2.5, 1e-7, true, false, null, [], {}], "": { a: [[]] } },
    ],
    [
      "what JSON lacks",
      { tuple: Tuple.from([1, Tuple.from([])]), set: new Set([1, "a"]), big: 10n ** 30n, nan: NaN, bytes },
    ],
    [
      "maps",
      new Map<Value, Value>([
        [Tuple.from([1, 2]), new Map([[1, { $int: "0x1" }]])],
        [null, []],
      ]),
    ],
    ["dicts that look like tags", { $tuple: { $dict: { $set: 1 } } }],
    ["a dict with a tag among others", { $dict: Tuple.from([1]), other: 1 }],
    ["times", [new Date(0), { at: new Date(1) }]],
    ["a key that is no prototype", JSON.parse('{"__proto__": {"a": [1]}}') as Value],
    ["a mere text", "x".repeat(1000)],
    ["a mere number", 12],
  ])("is the same as one that is read at once: %s", async (_what, value) => {
    const encoded = encodeValue(value);

    const read = await decodeLargeValue(encoded);

    expect(read).toEqual(decodeValue(encoded));
    expect(read).toEqual(value);
    expect(Object.getPrototypeOf(read ?? {})).toBe(Object.getPrototypeOf(decodeValue(encoded) ?? {}));
  });

  test.each([
    ["quotes", '"'],
    ["backslashes", "\\"],
    ["backslashes before quotes", '\\\\\\"'],
    ["escapes of six characters", "\u0001"],
    ["escapes of every length", 'a\n"\\é\u0001\u{1f600}bc'],
    ["no quote at all", "x"],
  ])("has its texts read in pieces: %s", async (_what, piece) => {
    const long = `.${piece.repeat(Math.ceil(300_000 / piece.length))}`;
    // Each beginning puts the cuts elsewhere.
    const values = Array.from({ length: 8 }, (_, shift) => ({ [`${"k".repeat(shift)}${long}`]: [long] }));
    const texts = values.map((value) => encodeValue(value));
    const parse = vi.spyOn(JSON, "parse");

    const read = await Promise.all(texts.map((text) => decodeLargeValue(text)));

    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(read).toEqual(values);
    expect(longest).toBeLessThanOrEqual(100_002);
  });

  test("may have blanks wherever JSON has them", async () => {
    const text = ' {\n"a" : [ 1 ,\t2 , { } , [ ] ] ,\r"b":null } ';

    expect(await decodeLargeValue({ text, buffers: [] })).toEqual({ a: [1, 2, {}, []], b: null });
  });

  test.each([
    "",
    "[",
    "[1",
    "[1,]",
    "[1 2]",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    "{a:1}",
    '{"a":1]',
    "[1}",
    '"open',
    `"${"x".repeat(250_000)}`,
    `"${"x".repeat(150_000)}\n"`,
    `["${"x".repeat(150_000)}\\q"]`,
    '"\\"',
    '"\n"',
    "01",
    "+1",
    ".5",
    "1.",
    "nul",
    "NaN",
    "[1] 2",
    '{"$unknown":1}',
    '{"$bytes":7}',
    '{"$tuple":1}',
    '{"$map":[[1]]}',
  ])("is refused where it is not what the codec writes: %j", async (text) => {
    expect(() => decodeValue({ text, buffers: [] })).toThrow(expect.objectContaining({ code: "MALFORMED_VALUE" }));
    await expect(decodeLargeValue({ text, buffers: [] })).rejects.toMatchObject({ code: "MALFORMED_VALUE" });
  });

  test.each<[string, (levels: number) => string]>([
    ["lists", (levels) => `${"[".repeat(levels)}${"]".repeat(levels)}`],
    ["dicts", (levels) => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`],
    ["tuples", (levels) => `${'{"$tuple":['.repeat(levels)}${"]}".repeat(levels)}`],
  ])("is as deep as others may be: %s", async (_what, nested) => {
    const read = (levels: number): Promise<Value> => decodeLargeValue({ text: nested(levels), buffers: [] });

    await expect(read(MAX_DEPTH + 1)).resolves.toBeDefined();
    expect(() => decodeValue({ text: nested(MAX_DEPTH + 2), buffers: [] })).toThrow("nested too deeply");
    await expect(read(MAX_DEPTH + 2)).rejects.toThrow("nested too deeply");
    await expect(read(1_000_000)).rejects.toThrow("nested too deeply");
  });

  test("has so many keys in one dict as are allowed, and not more", async () => {
    const withKeys = (count: number): Value => [
      Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${String(key)}`, 0])),
    ];

    const read = (count: number): Promise<Value> =>
      decodeValueInSlices(encodeValue(withKeys(count)), { mostKeys: 100_000 });

    expect(await read(100_000)).toEqual(withKeys(100_000));
    await expect(read(100_001)).rejects.toThrow("a dict has more than 100,000 keys; a list of pairs may be longer");
    expect(await decodeValueInSlices(encodeValue(withKeys(100_001)))).toEqual(withKeys(100_001));
  });

  test.each<[string, Value]>([
    ["plain", Array.from({ length: 300_000 }, (_, id) => ({ id, name: "n" }))],
    ["with tags", { rows: Array.from({ length: 200_000 }, (_, id) => Tuple.from([id, 0.5])) }],
  ])("lets the page go on, however large it is: %s", async (_what, value) => {
    const encoded = encodeValue(value);
    let turns = 0;
    const heart = setInterval(() => (turns += 1));

    const read = await decodeValueInSlices(encoded);
    clearInterval(heart);

    expect(read).toEqual(value);
    expect(turns).toBeGreaterThan(5);
  });
});

/** So many parts that they are written one after the other. */
const many = Array.from({ length: 2000 }, (_, index) => index);

describe("a value that is written in slices", () => {
  test.each<[string, Value]>([
    ["a list", [many, "text", { few: [1] }, many]],
    ["dicts", { a: many, $b: 'a "quote"', "": { inside: many }, 1: many }],
    ["a dict that looks like a tag", [{ $tuple: many }]],
    ["tuples", Tuple.from([many, Tuple.from(many), 1n])],
    ["sets", new Set<Value>([...many, Tuple.from(many), bytes])],
    [
      "maps",
      new Map<Value, Value>([
        [1, many],
        [Tuple.from(many), new Map(many.map((item) => [item, -0]))],
      ]),
    ],
    ["numbers in memory", [new Float64Array(many), bytes, bytes]],
    ["a key that is no prototype", JSON.parse(`{"__proto__": ${JSON.stringify(many)}}`) as Value],
    ["nothing", [undefined, null, ...many]],
    ["a mere text", "x"],
  ])("is the same as one that is written at once: %s", async (_what, value) => {
    expect(await encodeLargeValue(value)).toEqual(encodeValue(value));
  });

  test("may neither lie in itself nor too deep, nor hold what Python has not", async () => {
    const own: Value[] = [...many];
    own.push({ own });
    let deep: Value = many;
    for (let level = 0; level < MAX_DEPTH; level += 1) deep = [deep];
    const foreign = [...many, { f: () => 1 }] as unknown as Value;

    for (const value of [own, deep, foreign]) {
      const error = thrownBy(() => encodeValue(value));
      await expect(encodeLargeValue(value)).rejects.toEqual(error);
    }
  });

  test("lets the page go on, however large it is", async () => {
    const value = { rows: Array.from({ length: 300_000 }, (_, id) => [id, new Set([id])]) };
    let turns = 0;
    const heart = setInterval(() => (turns += 1));

    const written = await encodeValueInSlices(value);
    clearInterval(heart);

    expect(await whole(written)).toEqual(encodeValue(value));
    expect(turns).toBeGreaterThan(5);
  });

  test("of which a text, or bytes, are large lets the page go on too, and has them as blobs", async () => {
    const value = {
      text: '"é😀\ud800'.repeat(1_000_000),
      bytes: new Uint8Array(30_000_000).fill(7),
      small: Uint8Array.of(1),
    };
    let turns = 0;
    const heart = setInterval(() => (turns += 1));

    const written = await encodeValueInSlices(value);
    clearInterval(heart);

    expect(written.text).toBeInstanceOf(Blob);
    expect(written.buffers.map((part) => part instanceof Blob)).toEqual([true, false]);
    const { text, buffers } = await whole(written);
    const plain = encodeValue(value);
    // Not by toEqual, which would print them.
    expect(text === plain.text).toBe(true);
    expect(buffers.map((bytes, index) => sameBytes(bytes, plain.buffers[index]))).toEqual([true, true]);
    expect(value.bytes.byteLength).toBe(30_000_000);
    expect(turns).toBeGreaterThan(5);
  });
});

/** With its blobs read, as the worker reads them. */
async function whole({ text, buffers }: SentValue): Promise<EncodedValue> {
  return {
    text: typeof text === "string" ? text : await textOf(text),
    buffers: await Promise.all(buffers.map(async (part) => (part instanceof Blob ? await bytesOf(part) : part))),
  };
}

function sameBytes(bytes: Uint8Array, expected: Uint8Array | undefined): boolean {
  return expected !== undefined && Buffer.compare(bytes, expected) === 0;
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
