import { describe, expect, test } from "vitest";

import { packSnapshot, unpackSnapshot } from "../../../worker/packed-snapshot.js";

const BLOCK = 65_536;

/** A snapshot of that length, with a one at each of the places. */
function snapshotOf(length: number, ...places: number[]): Uint8Array {
  const snapshot = new Uint8Array(length);
  for (const place of places) snapshot[place] = 1;
  return snapshot;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

describe("a packed snapshot", () => {
  test.each([
    ["nothing", snapshotOf(0)],
    ["zeros alone", snapshotOf(3 * BLOCK)],
    ["full blocks between empty ones", snapshotOf(5 * BLOCK, 0, 3 * BLOCK, 4 * BLOCK - 1)],
    ["a last block that is cut short, full", snapshotOf(2 * BLOCK + 7, 2 * BLOCK + 6)],
    ["a last block that is cut short, empty", snapshotOf(2 * BLOCK + 7, 5)],
  ])("of %s unpacks to what it was", (_name, snapshot) => {
    expect(isSame(unpackSnapshot(packSnapshot(snapshot)), snapshot)).toBe(true);
  });

  test("leaves out what is empty", () => {
    expect(packSnapshot(snapshotOf(100 * BLOCK, 7 * BLOCK)).length).toBeLessThan(BLOCK + 200);
  });

  test("may be part of a larger buffer", () => {
    const packed = packSnapshot(snapshotOf(2 * BLOCK, 9));
    const larger = new Uint8Array(packed.length + 3);
    larger.set(packed, 3);

    expect(isSame(unpackSnapshot(larger.subarray(3)), snapshotOf(2 * BLOCK, 9))).toBe(true);
  });

  test.each([
    ["cut", packSnapshot(snapshotOf(2 * BLOCK, 9)).slice(0, -1)],
    ["something else", new TextEncoder().encode("a page that says 404")],
    ["empty", new Uint8Array()],
  ])("that is %s is refused", (_name, packed) => {
    expect(() => unpackSnapshot(packed)).toThrow(RangeError);
  });
});
