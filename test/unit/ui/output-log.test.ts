import { expect, test } from "vitest";

import { OutputLog } from "../../../src/ui/state/text/output-log.js";

test("of text that comes by turns in two streams, a million characters are kept, the newest", () => {
  const log = new OutputLog();
  for (let index = 0; index < 60; index++) {
    log.add({ kind: index % 2 === 0 ? "stdout" : "stderr", text: String(index).padEnd(40_000, ".") });
  }

  expect(log.blocks).toHaveLength(25);
  expect(log.leftOut).toBe(35);
  expect(log.blocks.map((block) => (block.kind === "text" ? block.text.slice(0, 2) : ""))).toEqual(
    Array.from({ length: 25 }, (_, index) => String(35 + index)),
  );
});

test("one block that grows and grows is never forgotten", () => {
  const log = new OutputLog();
  for (let index = 0; index < 100; index++) log.add({ kind: "stdout", text: "x".repeat(40_000) });

  expect(log.blocks).toMatchObject([{ length: 4_000_000 }]);
  expect(log.leftOut).toBe(0);
});
