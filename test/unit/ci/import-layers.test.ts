import { expect, test } from "vitest";

import { whyForbidden } from "../../../.ci/import-layers.mjs";

test.each([
  ["src/session/session.ts", "src/tools/index.ts"],
  ["src/session/session.ts", "src/session/runs/run-result.ts"],
  ["src/tools/mcp/mcp-tool.ts", "src/secrets/index.ts"],
  ["src/ui/main.ts", "src/agent/index.ts"],
  ["src/index.ts", "src/public/sessions.ts"],
  ["src/public/sessions.ts", "src/session/index.ts"],
  ["worker/interpreter.ts", "src/protocol/index.ts"],
  ["worker/interpreter.ts", "worker/blob-reader.ts"],
  ["test/unit/agent/budget.test.ts", "src/agent/budget/budget.ts"],
])("%s may import %s", (from, to) => {
  expect(whyForbidden(from, to)).toBeNull();
});

test.each([
  ["src/tools/registry.ts", "src/session/index.ts", "a folder of a higher layer"],
  ["src/session/session.ts", "src/tools/registry.ts", "round the face of a folder"],
  ["src/protocol/messages.ts", "src/storage/index.ts", "out of the lowest layer"],
  ["src/agent/budget/budget.ts", "src/public/agents.ts", "what gathers the public names"],
  ["src/index.ts", "src/session/index.ts", "past src/public"],
  ["src/public/sessions.ts", "src/session/session.ts", "an inner file for the public"],
  ["src/executor/worker-executor.ts", "worker/interpreter.ts", "the worker's code"],
  ["src/ui/main.ts", "test/timeouts.mjs", "tests"],
  ["src/somewhere/new.ts", "src/tools/index.ts", "anything, from a folder that stands in no layer"],
  ["worker/interpreter.ts", "src/protocol/messages.ts", "round the face of protocol"],
  ["worker/interpreter.ts", "src/executor/index.ts", "the page's code"],
])("%s must not import %s: %s", (from, to) => {
  expect(whyForbidden(from, to)).not.toBeNull();
});
