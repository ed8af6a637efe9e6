// What `npm run test:changed` runs for which files.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./set-up.mjs";

/** Seconds of browser tests that are run for one change, by what they took when they were last recorded. */
const BROWSER_SECONDS = 30;

/** What stands under every session: one in each engine says more than many tests in one. */
const LOWER_LAYERS = ["src/protocol/", "src/executor/", "src/bridge/", "worker/"];

/** A row of the specification that opens a sealed session and runs code in it. */
const ENGINE_CASE = "sealed frame: the last expression is the value";

/** Which files of src/ui a demo spec is about, by a part of their path. */
export const PARTS_OF_SPECS = {
  agents: ["agent", "program", "course-cards", "contract-slots", "task-tree"],
  approval: ["approval"],
  console: ["console", "python-editor", "incomplete-code"],
  files: ["files", "csv", "attachments", "data-table"],
  "follow-up": ["answer-notes", "task-box"],
  layout: ["styles/", "shelf", "top-bar", "demo-page"],
  questions: ["question", "input-dialog"],
  "saved-tasks": ["saved-tasks", "resumption", "earlier-words"],
  sealing: ["sealed", "output", "markdown", "clean-html", "content", "link-dialog"],
  settings: ["settings", "task-limits"],
  signals: ["step-", "memory-fold"],
  "skill-proposals": ["skill", "trial-text"],
  storage: ["banners", "demo-session", "problems"],
  tasks: ["task-card", "task-view", "transcript", "artifact", "recording", "mismatch", "tasks/", "source-difference"],
  tools: ["tools-panel", "add-tool", "tool-source", "task-tools"],
  trace: ["trace", "call-"],
};

/** For what has no spec of its own. */
const ORDINARY_SPECS = ["console", "stop-and-reset"];

/**
 * @typedef {object} Plan
 * @property {string[]} unitFolders
 * @property {string[]} browserFiles
 * @property {string[]} demoSpecs
 * @property {string | null} engineCase - a part of the titles of the engines' suite.
 * @property {string[]} left - what is not run.
 */

/** @returns {Plan} */
export function planFor(/** @type {readonly string[]} */ changed) {
  const isBelow = changed.some((file) => LOWER_LAYERS.some((folder) => file.startsWith(folder)));
  const folders = [...new Set(changed.flatMap(folderOf))];
  const { chosen, over } = browserFilesFor(changed, folders);
  const ui = changed.filter((file) => file.startsWith("src/ui/"));
  const demoSpecs = [...new Set([...changed.flatMap(specItself), ...ui.flatMap(specsOf)])];
  return {
    unitFolders: folders.map((folder) => `test/unit/${folder}`).filter((folder) => existsSync(join(root, folder))),
    browserFiles: chosen,
    demoSpecs,
    engineCase: isBelow || changed.some((file) => file.startsWith("test/engines/")) ? ENGINE_CASE : null,
    left: [
      ...(over.length > 0 ? [`browser tests over ${BROWSER_SECONDS} s: ${over.join(", ")}`] : []),
      `browser tests of other folders than ${folders.join(", ") || "any"}`,
      demoSpecs.length > 0 ? `demo specs other than ${demoSpecs.join(", ")}` : "the demo",
      ...(isBelow ? ["the engines' suite but for one session in each engine"] : ["the engines' suite"]),
      "unit tests of other folders, the escape suite, faults, package, evaluation, library build, size budget",
      "lint and format of files that did not change",
    ],
  };
}

/** The name that folders of src, test/unit and test/browser share. */
function folderOf(/** @type {string} */ file) {
  const match = /^(?:src|test\/unit|test\/browser)\/([^/]+)\//.exec(file);
  if (match?.[1] !== undefined) return [match[1]];
  if (file.startsWith("worker/python/")) return ["python"];
  return file.startsWith("worker/") ? ["worker", "executor"] : [];
}

/** Changed tests, then those of the folders, the quick ones first, as many as the time allows. */
function browserFilesFor(/** @type {readonly string[]} */ changed, /** @type {readonly string[]} */ folders) {
  const costs = JSON.parse(readFileSync(join(root, ".ci", "test-costs.json"), "utf8"));
  const own = changed.filter((file) => /^test\/browser\/.*\.test\.ts$/.test(file) && existsSync(join(root, file)));
  const others = folders
    .flatMap((folder) => testsBelow(`test/browser/${folder}`))
    .filter((file) => !own.includes(file))
    .sort((one, other) => (costs[one] ?? 2) - (costs[other] ?? 2));
  /** @type {string[]} */
  const over = [];
  let seconds = 0;
  const chosen = [...own, ...others].filter((file) => {
    seconds += costs[file] ?? 2;
    if (seconds <= BROWSER_SECONDS || own.includes(file)) return true;
    over.push(file);
    return false;
  });
  return { chosen, over };
}

/** @returns {string[]} */
function testsBelow(/** @type {string} */ folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { encoding: "utf8", recursive: true })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `${folder}/${file}`);
}

/** The name of a demo spec that changed itself. */
function specItself(/** @type {string} */ file) {
  const name = /^test\/demo\/(.+)\.spec\.ts$/.exec(file)?.[1];
  return name === undefined || !existsSync(join(root, file)) ? [] : [name];
}

function specsOf(/** @type {string} */ file) {
  const specs = Object.entries(PARTS_OF_SPECS)
    .filter(([, parts]) => parts.some((part) => file.includes(part)))
    .map(([spec]) => spec);
  return specs.length > 0 ? specs : ORDINARY_SPECS;
}
