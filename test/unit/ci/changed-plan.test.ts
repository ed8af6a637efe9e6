import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { PARTS_OF_SPECS, planFor } from "../../../.ci/changed-plan.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

test("a change of an upper layer runs the tests of its folder, the quick ones first, and names those that are left", () => {
  const { unitFolders, browserFiles, engineCase, demoSpecs, left } = planFor(["src/agent/budget.ts"]);

  expect(unitFolders).toEqual(["test/unit/agent"]);
  expect(browserFiles).toContain("test/browser/agent/code-agent.test.ts");
  expect(browserFiles.every((file) => file.startsWith("test/browser/agent/") && existsSync(`${root}${file}`))).toBe(
    true,
  );
  expect(engineCase).toBeNull();
  expect(demoSpecs).toEqual([]);
  const all = readdirSync(`${root}test/browser/agent`).filter((name) => name.endsWith(".test.ts"));
  const unmentioned = all.filter(
    (name) => !browserFiles.some((file) => file.endsWith(`/${name}`)) && !left[0]?.includes(name),
  );
  expect(unmentioned).toEqual([]);
});

test("a browser test that changed is run, however long it takes", () => {
  const file = "test/browser/agent/several-agents.test.ts";

  expect(planFor([file]).browserFiles[0]).toBe(file);
});

test.each([
  "src/protocol/messages.ts",
  "src/executor/executor.ts",
  "src/bridge/index.ts",
  "worker/python/vitrine/_runner.py",
])("a change of %s opens a session in each engine", (file) => {
  expect(planFor([file]).engineCase).not.toBeNull();
});

test("a change of the page runs the demo specs of the parts that changed, or else ordinary ones", () => {
  expect(planFor(["src/ui/components/settings-dialog.ts"]).demoSpecs).toEqual(["settings"]);
  expect(planFor(["src/ui/main.ts"]).demoSpecs).toEqual(["console", "stop-and-reset"]);
  expect(planFor(["test/demo/trace.spec.ts"]).demoSpecs).toEqual(["trace"]);
});

test("every demo spec with parts of its own exists", () => {
  const missing = Object.keys(PARTS_OF_SPECS).filter((spec) => !existsSync(`${root}test/demo/${spec}.spec.ts`));

  expect(missing).toEqual([]);
});

test("a change of documents alone runs no test, and everything is left", () => {
  const { unitFolders, browserFiles, demoSpecs, engineCase } = planFor(["README.md"]);

  expect([unitFolders, browserFiles, demoSpecs, engineCase]).toEqual([[], [], [], null]);
});
