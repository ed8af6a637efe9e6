import { expect, test } from "vitest";

import { whyForbidden } from "../../../.ci/import-layers.mjs";

test.each([
  ["src/session/session.ts", "src/tools/index.ts"],
  ["src/session/session.ts", "src/session/runs/run-result.ts"],
  ["src/tools/mcp/mcp-tool.ts", "src/secrets/index.ts"],
  ["src/ui/main.ts", "src/agent/index.ts"],
  ["src/index.ts", "src/session/public.ts"],
  ["src/session/index.ts", "src/session/public.ts"],
  ["src/session/public.ts", "src/session/session.ts"],
  ["worker/interpreter.ts", "src/protocol/index.ts"],
  ["worker/interpreter.ts", "worker/blob-reader.ts"],
  ["test/unit/agent/budget.test.ts", "src/agent/budget/budget.ts"],
  ["src/turn-loop/turn-loop.ts", "src/context/index.ts"],
  ["src/context/react-context.ts", "src/codegen/index.ts"],
  ["src/codegen/codegen.ts", "src/agent/index.ts"],
  ["src/agent/loop/task-loop.ts", "src/agent/budget/budget.ts"],
  ["src/ui/components/task/step-card.ts", "src/ui/components/base/view-element.ts"],
  ["src/agent/loop/task-loop.ts", "src/agent/loop/take-up.ts"],
  ["src/agent/loop/task-loop.ts", "src/agent/errors.ts"],
  ["src/agent/index.ts", "src/agent/react/react-agent.ts"],
  ["src/tools/mcp/mcp-tool.ts", "src/tools/schema/index.ts"],
  ["src/tools/registry.ts", "src/tools/prepare-call.ts"],
  ["src/command-line/site-folder.ts", "src/deps/index.ts"],
  ["src/command-line/site-folder.ts", "node:fs/promises"],
  ["src/ui/vite-plugin-first-screen.ts", "node:fs/promises"],
])("%s may import %s", (from, to) => {
  expect(whyForbidden(from, to)).toBeNull();
});

test.each([
  ["src/tools/registry.ts", "src/session/index.ts", "a folder of a higher layer"],
  ["src/session/session.ts", "src/tools/registry.ts", "round the face of a folder"],
  ["src/protocol/messages.ts", "src/storage/index.ts", "out of the lowest layer"],
  ["src/agent/budget/budget.ts", "src/index.ts", "what gathers the public names"],
  ["src/agent/budget/budget.ts", "src/session/public.ts", "the public names of another folder"],
  ["src/agent/budget/budget.ts", "src/agent/public.ts", "the public names of its own folder"],
  ["src/index.ts", "src/session/index.ts", "past the public names"],
  ["src/index.ts", "src/session/session.ts", "an inner file for the public"],
  ["src/executor/worker-executor.ts", "worker/interpreter.ts", "the worker's code"],
  ["src/ui/main.ts", "test/timeouts.mjs", "tests"],
  ["src/somewhere/new.ts", "src/tools/index.ts", "anything, from a folder that stands in no layer"],
  ["src/agent/loop/task-loop.ts", "src/codegen/index.ts", "a folder that is built on its own"],
  ["src/codegen/codegen.ts", "src/context/index.ts", "a folder that is built on its own"],
  ["src/context/react-context.ts", "src/turn-loop/index.ts", "a folder that is built on its own"],
  ["src/agent/budget/budget.ts", "src/agent/loop/task-loop.ts", "a room above its own"],
  ["src/session/calls/operations.ts", "src/session/runs/run.ts", "a room above its own"],
  ["src/ui/state/task/task-view.ts", "src/ui/components/task/task-card.ts", "a room above its own"],
  ["src/ui/components/content/data-table.ts", "src/ui/components/task/step-card.ts", "a room above its own in a room"],
  ["src/agent/code/code-kind.ts", "src/agent/react/react-kind.ts", "the room beside its own"],
  ["src/agent/errors.ts", "src/agent/budget/budget.ts", "a room above its file"],
  ["src/agent/loop/task-loop.ts", "src/agent/new-file.ts", "a file at the top of its folder"],
  ["src/tools/schema/index.ts", "src/tools/registry.ts", "the top of its folder"],
  ["src/deps/packages.ts", "node:fs", "a module of Node, which pages have not"],
  ["src/deps/packages.ts", "src/command-line/site-folder.ts", "the program"],
  ["worker/interpreter.ts", "src/protocol/messages.ts", "round the face of protocol"],
  ["worker/interpreter.ts", "src/executor/index.ts", "the page's code"],
])("%s must not import %s: %s", (from, to) => {
  expect(whyForbidden(from, to)).not.toBeNull();
});
