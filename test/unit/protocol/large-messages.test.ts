import { expect, test } from "vitest";

import { withBlobs } from "../../../src/protocol/index.js";

const MEBIBYTE = 2 ** 20;

function pausesOf(message: unknown): number {
  let pauses = 0;
  withBlobs(message, () => {
    pauses += 1;
  });
  return pauses;
}

test("a message of megabytes is made with a pause after every two of them", () => {
  expect(pausesOf({ value: "x".repeat(20 * MEBIBYTE) })).toBe(10);
  expect(pausesOf({ value: new Uint8Array(20 * MEBIBYTE) })).toBe(10);
});

test("a message of ten million bytes or characters is handed over as it is: blobs take many times as long", () => {
  for (const value of ["x".repeat(10_000_000), new Uint8Array(10_000_000)]) {
    const message = { value };

    expect(withBlobs(message, () => undefined)).toBe(message);
  }
});

test("many contents that are not large by themselves share a pause", () => {
  const contents = Array.from({ length: 80 }, () => new Uint8Array(MEBIBYTE / 4));

  expect(pausesOf(contents)).toBe(10);
});

test("a small message is handed over as it is, without a pause", () => {
  const message = { value: "x".repeat(MEBIBYTE) };

  expect(pausesOf(message)).toBe(0);
  expect(withBlobs(message, () => undefined)).toBe(message);
});
