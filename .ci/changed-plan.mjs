// What `npm run test:changed` runs for which files.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./set-up.mjs";

/** Seconds of browser tests that are run for one change, by what they took when they were last recorded. */
const BROWSER_SECONDS = 33;

/** What stands under every session: one in each engine says more than many tests in one. */
const LOWER_LAYERS = ["src/protocol/", "src/executor/", "src/bridge/", "worker/"];

/** What the package exports of each folder. */
const PUBLIC_LISTS = readdirSync(join(root, "src")).map((folder) => `src/${folder}/public.ts`);

/** Tests of what stands outside of src/, or not in the folder of its name: paths below test/unit, folders of test/browser, demo specs. */
const TESTED_ELSEWHERE = [
  { changed: ["src/ui/tasks/", "tools/", "skills/", "public/data/"], browser: ["tasks"] },
  { changed: ["src/contract/"], unit: ["codegen", "context"], browser: ["codegen", "turn-loop"] },
  { changed: ["src/index.ts", ...PUBLIC_LISTS, "test/unit/public-types.test.ts"], unit: ["public-types.test.ts"] },
  { changed: ["test/conformance/", "test/spec/"], unit: ["conformance"] },
  { changed: [".ci/"], unit: ["ci"] },
  { changed: ["bench/"], unit: ["bench"] },
  { changed: ["eval/"], unit: ["eval"] },
  { changed: ["eval/projects/", "eval/batches/"], browser: ["eval"] },
  { changed: ["test/packages-check/", "test/wheels/"], unit: ["packages-check"], browser: ["packages-check"] },
  { changed: ["docs/", "README.md", "ARCHITECTURE.md"], unit: ["docs"], browser: ["docs"] },
  { changed: ["public/login"], demo: ["server-logins"] },
  { changed: ["src/ui/widget/"], unit: ["ui", "widget"], browser: ["widget"] },
  { changed: ["src/fences/"], unit: ["fences"] },
  { changed: ["src/cell-text/"], unit: ["cell-text"], browser: ["widget"] },
];

/** Suites that are left, by what changes them, with the command that runs them. */
const SUITES_LEFT = [
  { changed: ["test/escape/"], command: "npx vitest run --project escape" },
  { changed: ["test/escape/twin"], command: "npm run test:twins" },
  { changed: ["test/faults/", "test/py/"], command: "npx vitest run --project faults" },
  { changed: ["test/eval/", "eval/"], command: "npx vitest run --project eval" },
  { changed: ["test/browser/eval/", "eval/projects/", "eval/batches/"], command: "npm run test:projects" },
  { changed: ["test/package/"], command: "npm run test:package" },
];

/** Browser tests that are left unless they change themselves, however much time there is. */
const FILES_LEFT = [
  // A process for each scenario of MCP's own suite.
  "test/browser/tools/mcp-conformance.test.ts",
];

/** Browser tests with pages of their own, fresh or isolated, and those that run on both kinds; as vitest.config.ts has them. */
const ON_OWN_PAGES = /^test\/browser\/(?:executor|storage)\/|\.isolated\.test\.ts$/;
const ON_BOTH = "test/browser/bridge/";

/** A row of the specification that opens a sealed session and runs code in it. */
const ENGINE_CASE = "sealed frame: the last expression is the value";

/** Which files of src/ui a demo spec is about, by a part of their name; one with a slash is a part of their path. */
export const PARTS_OF_SPECS = {
  agent: ["task-limits", "task-box", "memory-fold"],
  agents: ["agent", "program", "nested-cards", "contract-slots", "task-view"],
  coding: ["task-changes", "changes-slot", "task-agent", "coding-task", "diff-view"],
  "answer-first": ["task-card", "step-", "shown-task"],
  approval: ["approval"],
  console: ["console", "python-editor", "incomplete-code"],
  "file-editor": ["file-editor", "text-editor", "open-file", "file-text", "unsaved-warning", "files-panel", "diff"],
  "file-tree": ["file-tree", "path-tree", "path-dialog", "file-changes", "files-panel"],
  files: ["files", "csv", "attachments", "data-table"],
  "first-visit": ["welcome", "snippet", "file-card", "unrecorded", "first-screen"],
  focus: ["transcript-view", "task-box"],
  "follow-up": ["answer-notes", "task-box"],
  "hostile-servers": ["server-", "elicitation", "url-card"],
  layout: ["styles/", "shelf", "top-bar", "demo-page"],
  packages: ["package-fields", "package-settings", "missing-package"],
  questions: ["question", "input-dialog"],
  reach: ["secrets"],
  "saved-tasks": ["saved-tasks", "dialog-element", "resumption", "earlier-words"],
  sealing: ["sealed", "output", "markdown", "clean-html", "content", "dialog-element", "link-dialog"],
  "server-logins": ["login", "server-auth", "web-address", "add-tool", "tools-panel"],
  "server-prompts": ["sampling", "server-words"],
  "server-questions": ["server-", "elicitation", "sampling", "url-card", "who-asks"],
  settings: ["settings", "task-limits", "dialog-element"],
  signals: ["step-", "memory-fold"],
  "skill-proposals": ["skill"],
  storage: ["banners", "demo-session", "problems"],
  tasks: ["task-card", "task-view", "transcript", "artifact", "recording", "mismatch", "tasks/", "source-difference"],
  tools: ["tools-panel", "add-tool", "dialog-element", "tool-source", "task-tools"],
  trace: ["trace", "call-"],
  "file-zips": ["unpack-", "pack-zip", "zip-", "files-panel"],
  "write-code": ["batch", "candidate", "file-question", "proposed-file", "file-choices", "writer", "kept-result"],
  "words-and-looks": ["styles/", "top-bar", "welcome"],
};

/** For what has no spec of its own. */
export const ORDINARY_SPECS = ["console", "stop-and-reset"];

/** Those that go through the whole page, which takes too long here. */
export const SPECS_LEFT = ["accessibility"];

/**
 * @typedef {object} Plan
 * @property {string[]} unitPaths
 * @property {string[]} browserFiles
 * @property {string[]} ownPageFiles - browser tests on fresh and isolated pages, which vitest cannot run with the others.
 * @property {string[]} demoSpecs
 * @property {string | null} engineCase - a part of the titles of the engines' suite.
 * @property {string[]} left - what is not run.
 */

/** @returns {Plan} */
export function planFor(/** @type {readonly string[]} */ changed) {
  const within = (/** @type {readonly string[]} */ places) =>
    changed.filter((file) => places.some((place) => file.startsWith(place)));
  const folders = changed.flatMap(folderOf);
  const elsewhere = TESTED_ELSEWHERE.filter((each) => within(each.changed).length > 0);
  const unit = unique([...folders, ...elsewhere.flatMap(({ unit = [] }) => unit)])
    .map((path) => `test/unit/${path}`)
    .filter((path) => existsSync(join(root, path)));
  const browser = unique([...folders, ...elsewhere.flatMap(({ browser = [] }) => browser)])
    .map((folder) => `test/browser/${folder}`)
    .filter((folder) => existsSync(join(root, folder)));
  const { chosen, over } = browserFilesFor(changed, browser);
  const demoSpecs = unique([
    ...changed.flatMap(specItself),
    ...elsewhere.flatMap(({ demo = [] }) => demo),
    ...within(["src/ui/"]).flatMap(specsOf),
  ]);
  const engineCase = within([...LOWER_LAYERS, "test/engines/"]).length > 0 ? ENGINE_CASE : null;
  const suites = SUITES_LEFT.flatMap(({ changed, command }) => {
    const files = within(changed);
    return files.length > 0 ? [`what the change of ${files.join(", ")} calls for: ${command}`] : [];
  });
  return {
    unitPaths: unit,
    browserFiles: chosen.filter((file) => !ON_OWN_PAGES.test(file)),
    ownPageFiles: chosen.filter((file) => ON_OWN_PAGES.test(file) || file.startsWith(ON_BOTH)),
    demoSpecs,
    engineCase,
    left: [
      ...suites,
      ...(over.length > 0 ? [`browser tests that take too long here: ${over.join(", ")}`] : []),
      butFor("the browser tests", browser),
      butFor("the demo specs", demoSpecs),
      butFor("the engines' suite", engineCase === null ? [] : ["one session in each engine"]),
      butFor("the unit tests", unit),
      "the escape suite, faults, package, evaluation, library build, size budget",
      "lint and format of files that did not change",
    ],
  };
}

function butFor(/** @type {string} */ all, /** @type {readonly string[]} */ run) {
  return run.length === 0 ? all : `${all} but for ${run.join(", ")}`;
}

/** @returns {string[]} */
function unique(/** @type {readonly string[]} */ all) {
  return [...new Set(all)];
}

/** The name that folders of src, test/unit and test/browser share. */
function folderOf(/** @type {string} */ file) {
  const match = /^(?:src|test\/unit|test\/browser)\/([^/]+)\//.exec(file);
  if (match?.[1] !== undefined) return [match[1]];
  if (file.startsWith("worker/python/")) return ["python"];
  return file.startsWith("worker/") ? ["worker", "executor"] : [];
}

/** Changed tests, then those of the folders, the quick ones first, as many as the time allows: of each folder one at least. */
function browserFilesFor(/** @type {readonly string[]} */ changed, /** @type {readonly string[]} */ folders) {
  const costs = JSON.parse(readFileSync(join(root, ".ci", "test-costs.json"), "utf8"));
  const own = changed.filter((file) => /^test\/browser\/.*\.test\.ts$/.test(file) && existsSync(join(root, file)));
  const quickFirst = (/** @type {string} */ one, /** @type {string} */ other) =>
    (costs[one] ?? 2) - (costs[other] ?? 2);
  const ofFolders = folders.map((folder) => testsBelow(folder).toSorted(quickFirst));
  const quickest = ofFolders.flatMap((files) => files.slice(0, 1));
  const others = ofFolders
    .flat()
    .filter((file) => !own.includes(file))
    .toSorted(quickFirst);
  /** @type {string[]} */
  const over = [];
  let seconds = 0;
  const chosen = [...own, ...others].filter((file) => {
    const isOwn = own.includes(file);
    const isOver = seconds + (costs[file] ?? 2) > BROWSER_SECONDS && !quickest.includes(file);
    const isLeft = !isOwn && (FILES_LEFT.includes(file) || isOver);
    if (isLeft) over.push(file);
    else seconds += costs[file] ?? 2;
    return !isLeft;
  });
  return { chosen, over };
}

/** @returns {string[]} */
function testsBelow(/** @type {string} */ folder) {
  return readdirSync(join(root, folder), { encoding: "utf8", recursive: true })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `${folder}/${file}`);
}

/** The name of a demo spec that changed itself; ordinary ones for what they share. */
function specItself(/** @type {string} */ file) {
  if (!file.startsWith("test/demo/")) return [];
  const name = /^test\/demo\/(.+)\.spec\.ts$/.exec(file)?.[1];
  if (name === undefined) return ORDINARY_SPECS;
  return existsSync(join(root, file)) ? [name] : [];
}

function specsOf(/** @type {string} */ file) {
  const specs = Object.entries(PARTS_OF_SPECS)
    .filter(([, parts]) => parts.some((part) => isAbout(file, part)))
    .map(([spec]) => spec);
  return specs.length > 0 ? specs : ORDINARY_SPECS;
}

/** Whether a part of {@link PARTS_OF_SPECS} means the file, whose path has slashes. */
export function isAbout(/** @type {string} */ file, /** @type {string} */ part) {
  return (part.includes("/") ? file : file.slice(file.lastIndexOf("/") + 1)).includes(part);
}
