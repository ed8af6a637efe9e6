import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { isAbout, ORDINARY_SPECS, PARTS_OF_SPECS, planFor, SPECS_LEFT } from "../../../.ci/changed-plan.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

test("a change of an upper layer runs the tests of its folder, the quick ones first, and names those that are left", () => {
  const { unitPaths, browserFiles, engineCase, demoSpecs, left } = planFor(["src/agent/budget/budget.ts"]);

  expect(unitPaths).toEqual(["test/unit/agent"]);
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

test("tests on fresh and isolated pages are apart from those that share one, and those for both are in both", () => {
  const plans = ["src/bridge/index.ts", "src/storage/index.ts", "src/tools/registry.ts"].map((file) => planFor([file]));

  expect(plans.map(({ browserFiles }) => browserFiles.length > 0)).toEqual([true, false, true]);
  expect(plans[0]?.ownPageFiles).toEqual(plans[0]?.browserFiles);
  expect(plans[1]?.ownPageFiles).toContain("test/browser/storage/storage-backend.test.ts");
  expect(plans[2]?.ownPageFiles).toEqual(["test/browser/tools/http-tool.isolated.test.ts"]);
  expect(plans[2]?.browserFiles).not.toContain("test/browser/tools/http-tool.isolated.test.ts");
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
  expect(planFor(["src/ui/components/dialogs/settings-dialog.ts"]).demoSpecs).toEqual(["settings"]);
  expect(planFor(["src/ui/main.ts"]).demoSpecs).toEqual(["console", "stop-and-reset"]);
  expect(planFor(["test/demo/trace.spec.ts"]).demoSpecs).toEqual(["trace"]);
  expect(planFor(["public/login.js"]).demoSpecs).toEqual(["server-logins"]);
});

test("every demo spec is chosen for something or left on purpose, and every part of a path is one of src/ui", () => {
  const specs = readdirSync(`${root}test/demo`).flatMap((name) => /^(.+)\.spec\.ts$/.exec(name)?.[1] ?? []);
  const known = new Set([...Object.keys(PARTS_OF_SPECS), ...ORDINARY_SPECS, ...SPECS_LEFT]);
  const page = readdirSync(`${root}src/ui`, { recursive: true, encoding: "utf8" });
  const parts = Object.values(PARTS_OF_SPECS).flat();

  expect([...known].toSorted()).toEqual(specs.toSorted());
  expect(parts.filter((part) => !page.some((file) => isAbout(file.replaceAll("\\", "/"), part)))).toEqual([]);
});

test("a change of what several demo specs share runs ordinary ones", () => {
  expect(planFor(["test/demo/demo.ts"]).demoSpecs).toEqual(ORDINARY_SPECS);
});

test.each([
  { file: "src/ui/tasks/gate-log.yaml", folder: "test/browser/tasks/" },
  { file: "tools/catalog.yaml", folder: "test/browser/tasks/" },
  { file: "skills/parse_table.py", folder: "test/browser/tasks/" },
  { file: "public/data/planets.csv", folder: "test/browser/tasks/" },
  { file: "docs/agents.md", folder: "test/browser/docs/" },
  { file: "README.md", folder: "test/browser/docs/" },
])("a change of $file runs tests of $folder", ({ file, folder }) => {
  expect(planFor([file]).browserFiles.filter((each) => each.startsWith(folder))).not.toEqual([]);
});

test.each([
  { file: "src/index.ts", path: "test/unit/public-types.test.ts" },
  { file: "test/unit/public-types.test.ts", path: "test/unit/public-types.test.ts" },
  { file: "test/conformance/pending.ts", path: "test/unit/conformance" },
  { file: "test/spec/codegen.md", path: "test/unit/conformance" },
  { file: ".ci/lanes.mjs", path: "test/unit/ci" },
])("a change of $file runs $path", ({ file, path }) => {
  expect(planFor([file]).unitPaths).toEqual([path]);
});

test("a change of what is public of a folder runs its tests and those of public types", () => {
  expect(planFor(["src/session/public.ts"]).unitPaths).toEqual(["test/unit/session", "test/unit/public-types.test.ts"]);
});

test.each([
  { file: "test/escape/attempts/doors.ts", command: "npx vitest run --project escape" },
  { file: "test/faults/faults.test.ts", command: "npx vitest run --project faults" },
  { file: "test/py/py.test.ts", command: "npx vitest run --project faults" },
  { file: "test/eval/scripted.test.ts", command: "npx vitest run --project eval" },
  { file: "test/package/package.test.ts", command: "npm run test:package" },
])("a change of $file is left, with the command that tries it", ({ file, command }) => {
  expect(planFor([file]).left[0]).toBe(`what the change of ${file} calls for: ${command}`);
});

test("what is left says what is run of each suite", () => {
  const { left } = planFor(["test/engines/suite/variants.ts"]);

  expect(left).toContain("the engines' suite but for one session in each engine");
  expect(left).toContain("the browser tests");
  expect(planFor(["src/protocol/index.ts"]).left).toContain("the unit tests but for test/unit/protocol");
});

test("MCP's own suite is left to npm test, unless its test changed", () => {
  const file = "test/browser/tools/mcp-conformance.test.ts";

  expect(planFor(["src/tools/registry.ts"]).browserFiles).not.toContain(file);
  expect(planFor(["src/tools/registry.ts"]).left.join()).toContain(file);
  expect(planFor([file]).browserFiles).toContain(file);
});

test("a change of other documents runs no test, and everything is left", () => {
  const { unitPaths, browserFiles, ownPageFiles, demoSpecs, engineCase } = planFor(["CHANGELOG.md"]);

  expect([unitPaths, browserFiles, ownPageFiles, demoSpecs, engineCase]).toEqual([[], [], [], [], null]);
});
