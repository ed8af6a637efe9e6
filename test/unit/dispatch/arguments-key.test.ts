import { createHash } from "node:crypto";

import { describe, expect, test } from "vitest";

import { argumentsKey } from "../../../src/dispatch/arguments-key.js";
import { Sha256 } from "../../../src/storage/index.js";
import { PythonFloat, Tuple, type Value } from "../../../src/protocol/index.js";
import { countTurns } from "../count-turns.js";

function digestOf(...pieces: readonly Uint8Array[]): string {
  const hash = new Sha256();
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

const ascii = (text: string) => new TextEncoder().encode(text);

describe("SHA-256", () => {
  test.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
    ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
  ])("of a text of the standard (%#)", (text, digest) => {
    expect(digestOf(ascii(text))).toBe(digest);
  });

  test("of every length around the ends of blocks is what Node says", () => {
    for (let length = 0; length <= 200; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 7 + length) % 256);

      expect(digestOf(bytes)).toBe(createHash("sha256").update(bytes).digest("hex"));
    }
  });

  test("is the same wherever the bytes are cut", () => {
    const bytes = Uint8Array.from({ length: 150 }, (_, index) => index);
    const whole = digestOf(bytes);

    for (let at = 0; at <= bytes.length; at += 1)
      expect(digestOf(bytes.subarray(0, at), bytes.subarray(at))).toBe(whole);
    expect(digestOf(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toBe(whole);
  });
});

describe("the key of arguments", () => {
  const piece = 65_536;
  const different: readonly (readonly [string, Value, Value])[] = [
    ["texts that differ at the end", "x".repeat(500_000) + "a", "x".repeat(500_000) + "b"],
    ["texts that differ where a piece ends", "x".repeat(piece / 2), `${"x".repeat(piece / 2 - 1)}y`],
    ["halves of pairs", "\uD83D", "\uDE00"],
    ["a text and its bytes", "abc", ascii("abc")],
    ["where a text ends", ["ab", "c"], ["a", "bc"]],
    ["what looks like the end of a text", ["a", "b"], ["as1:b"]],
    ["where a list ends", [[1], 2], [[1, 2]]],
    ["a list and an array of numbers", [1, 2], Float64Array.of(1, 2)],
    ["arrays of numbers", Float64Array.of(1, 2), Float64Array.of(1, 3)],
    ["arrays of other numbers with the same bytes", Int32Array.of(1), Uint32Array.of(1)],
    ["a list and a tuple", [1, 2], Tuple.of(1, 2)],
    ["a list and a set", [1, 2], new Set([1, 2])],
    ["a number and its text", 1, "1"],
    ["a number and a float", 1, new PythonFloat(1)],
    ["null and an empty list", null, []],
    ["a key and its value", { a: "b" }, { b: "a" }],
    ["a dict in a dict", { a: { b: 1 }, c: 1 }, { a: { b: 1, c: 1 } }],
    ["bytes", new Uint8Array(200_000), new Uint8Array(200_001)],
    ["pairs of a map", new Map([[1, 2]]), new Map([[2, 1]])],
    ["one number of many", Array.from({ length: 50_000 }, () => 0), [...Array.from({ length: 49_999 }, () => 0), 1]],
  ];

  test.each(different)("tells apart %s", async (_, one, other) => {
    expect(await argumentsKey(one)).not.toBe(await argumentsKey(other));
    expect(await argumentsKey(one)).toBe(await argumentsKey(structuredTwin(one)));
  });

  test("does not depend on the order of keys, however many there are", async () => {
    const entries = Array.from(
      { length: 30_001 },
      (_, index) => [`key ${String((index * 7919) % 30_001)}`, index] as const,
    );

    const [one, other] = [Object.fromEntries(entries), Object.fromEntries(entries.toReversed())];

    expect(Object.keys(one)).not.toEqual(Object.keys(other));
    expect(await argumentsKey({ a: one, b: 2 })).toBe(await argumentsKey({ b: 2, a: other }));
  });

  test("is refused for a list in itself and for a function", async () => {
    const list: Value[] = [];
    list.push(list, list);

    await expect(argumentsKey(list)).rejects.toThrow(RangeError);
    await expect(argumentsKey({ run: (() => undefined) as unknown as Value })).rejects.toMatchObject({
      code: "VALUE_NOT_TRANSFERABLE",
    });
  });

  test("lets the page go on between pieces", async () => {
    const endOfCount = countTurns();

    await argumentsKey(["x".repeat(1_000_000), Array.from({ length: 20_000 }, () => 0), new Uint8Array(1_000_000)]);
    const turns = endOfCount();

    expect(turns).toBeGreaterThan(2_000_000 / piece + 20_000 / 200 + 1_000_000 / piece);
  });
});

/** Equal, and nothing of it the same object. */
function structuredTwin(value: Value): Value {
  if (value instanceof Tuple) return Tuple.from(value);
  if (value instanceof PythonFloat) return new PythonFloat(value.value);
  return structuredClone(value);
}
