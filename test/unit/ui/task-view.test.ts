import { expect, test } from "vitest";

import { OutputLog } from "../../../src/ui/state/output-log.js";
import { splitReply } from "../../../src/ui/state/task-view.js";

test("a reply is thought and code from its first character on", () => {
  expect(splitReply("I look")).toEqual({ thought: "I look", code: null });
  expect(splitReply("I look.\n\n``")).toEqual({ thought: "I look.", code: null });
  expect(splitReply("I look.\n\n```python\nimport")).toEqual({ thought: "I look.", code: "import" });
  expect(splitReply("I look.\n```python\nimport csv\n```\nDone")).toEqual({ thought: "I look.", code: "import csv" });
});

test("a reasoning model's drafts are not shown as its thought", () => {
  expect(splitReply("<think>```python\nno\n```</think>I look.").thought).toBe("I look.");
  expect(splitReply("<think>still going").thought).toBe("");
});

test("output of one stream that comes in pieces is one block, cut at its beginning when it grows too long", () => {
  const log = new OutputLog();

  log.add({ kind: "stdout", text: "a" });
  log.add({ kind: "stdout", text: "b" });
  log.add({ kind: "stderr", text: "!" });
  log.add({ kind: "stdout", text: "x".repeat(50_000) });

  expect(log.blocks.map((block) => (block.kind === "text" ? [block.stream, block.length] : []))).toEqual([
    ["stdout", 2],
    ["stderr", 1],
    ["stdout", 50_000],
  ]);
  const last = log.blocks.at(-1);
  expect(last?.kind === "text" && last.text.length).toBe(40_000);
});
