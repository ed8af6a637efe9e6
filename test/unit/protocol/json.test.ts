import { expect, test } from "vitest";

import { jsonIn, parseJson, withDigits, withSizes } from "../../../src/protocol/index.js";

test("the value of JSON text is undefined for text that is no JSON, where it may be", () => {
  expect(["null", "[1]", '{"a": "b"}', "", "nope"].map(jsonIn)).toEqual([null, [1], { a: "b" }, undefined, undefined]);
  expect(() => parseJson("nope")).toThrow(SyntaxError);
});

test("each value can be made another one while it is read", () => {
  expect(parseJson("[1, 2]", (_key, value) => (typeof value === "number" ? BigInt(value) : value))).toEqual([1n, 2n]);
});

test("JSON text has large integers and bytes in words", () => {
  expect(JSON.stringify({ a: 2n ** 64n }, withDigits)).toBe('{"a":"18446744073709551616"}');
  expect(JSON.stringify([1n, new Uint8Array(3)], withSizes)).toBe('["1","<3 bytes>"]');
});
