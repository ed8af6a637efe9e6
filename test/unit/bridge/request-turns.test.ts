import { expect, test } from "vitest";

import { RequestTurns } from "../../../src/bridge/request-turns.js";
import { nextTurn } from "../../../src/protocol/index.js";

/** Takes the turns of requests with texts of these lengths. @returns those that have begun, in order. */
function begin(lengths: readonly number[]): number[] {
  const turns = new RequestTurns();
  const begun: number[] = [];
  lengths.forEach((length, index) => {
    const turn = turns.take(length);
    if (turn === undefined) begun.push(index);
    else void turn.then(() => begun.push(index));
  });
  return begun;
}

test("requests that come one at a time wait for nothing", async () => {
  const turns = new RequestTurns();
  let waited = 0;
  for (let index = 0; index < 39; index++) if (turns.take(100) !== undefined) waited += 1;

  expect(waited).toBe(0);
  await turns.take(0);
  await turns.take(0);
  expect(turns.take(0)).toBeUndefined();
});

test("of many short requests so many begin in one turn, and the others in their order in turns to come", async () => {
  const begun = begin(Array<number>(100).fill(0));
  expect(begun).toHaveLength(40);
  await nextTurn();
  expect(begun.length).toBeLessThanOrEqual(80);

  await expect.poll(() => begun.length).toBe(100);
  expect(begun).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

test("a request that is read in slices has a turn of its own", async () => {
  const begun = begin([1_000_000, 1_000_000, 10]);
  expect(begun).toEqual([0]);

  await expect.poll(() => begun).toEqual([0, 1, 2]);
});
