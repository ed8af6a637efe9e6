import { expect, test } from "vitest";

import { nextTurn } from "../../../src/protocol/index.js";

test("of much work that goes on in slices one piece is done in each turn of the page", async () => {
  const log: string[] = [];
  let isOver = false;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    log.push("page");
    if (!isOver) port2.postMessage(null);
  };
  port2.postMessage(null);
  const work = async (name: string): Promise<void> => {
    for (let piece = 0; piece < 5; piece++) {
      await nextTurn();
      log.push(name);
    }
  };

  await Promise.all(Array.from({ length: 20 }, (_, index) => work(String(index))));
  isOver = true;

  expect(log.filter((entry) => entry !== "page")).toHaveLength(100);
  const inARow = log.filter((entry, index) => entry !== "page" && ![undefined, "page"].includes(log[index - 1]));
  expect(inARow).toEqual([]);
});
