// Which folders of src/ may import which: those of lower layers and of their own, always by the index.ts; the package's own
// index.ts has their public.ts. And which rooms of a folder may import which: those before them.

/** From the lowest to the highest. */
const layers = [
  ["protocol"],
  ["options", "csp", "cell-text"],
  [
    "executor",
    "bridge",
    "check",
    "commands",
    "content",
    "contract",
    "difference",
    "dispatch",
    "tools",
    "secrets",
    "skills",
    "artifacts",
    "deps",
    "workspace",
    "storage",
    "model",
  ],
  ["file-tools", "write-code"],
  ["session"],
  ["agent", "outward"],
  ["codegen", "coding"],
  ["context"],
  ["turn-loop"],
  ["ui", "command-line", "fences"],
];

/**
 * The order within a folder of src/, from the lowest: rooms, and files that lie beside them. Rooms of one line do not import
 * each other. A file at the top of the folder that is not listed is above them all.
 *
 * @type {Readonly<Record<string, readonly (readonly string[])[]>>}
 */
export const rooms = {
  agent: [
    ["agent-session", "errors"],
    ["budget"],
    ["conversation"],
    ["events"],
    ["work"],
    ["saved", "learning"],
    ["agent-options", "task-session"],
    ["loop"],
    ["nesting", "code", "react"],
  ],
  codegen: [
    ["plain-json"],
    ["errors", "records"],
    ["sources"],
    ["outcome"],
    ["events"],
    ["codegen-options"],
    ["program", "writer"],
  ],
  tools: [
    ["call-proposal", "calling-task", "errors", "json-schema", "mcp-auth", "nesting", "openapi-progress", "plain-json"],
    ["mcp-answers", "requests"],
    ["tool-host"],
    ["definition"],
    ["python", "search", "yaml"],
    ["schema"],
    ["arguments", "stubs"],
    ["command", "http", "mcp"],
    ["openapi"],
    ["files"],
  ],
  deps: [
    ["interpreter", "package-name"],
    ["wheel-tags"],
    ["sources"],
    ["packages-options"],
    ["package-content"],
    ["resolution"],
  ],
  "write-code": [
    ["call", "writing-session"],
    ["outcome"],
    ["events"],
    ["images"],
    ["write-code-options"],
    ["generation", "text"],
    ["log"],
    ["writing"],
  ],
  session: [
    ["errors", "limit-errors"],
    ["session-options"],
    ["package-options"],
    ["check-options"],
    ["calls"],
    ["facades", "runs"],
    ["client"],
    ["child"],
  ],
  ui: [["tasks"], ["state"], ["drawing"], ["components"], ["widget"]],
  "ui/widget": [
    ["cell-runtime", "tools-of-page"],
    ["agent-parts"],
    ["output", "editor", "runtime"],
    ["agent-runtime"],
    ["shared"],
    ["cell"],
    ["agent"],
  ],
  "ui/widget/agent-runtime": [["errors"], ["texts", "transcript"]],
  "ui/state": [["text"], ["session"], ["questions"], ["task", "console", "shelf"], ["files"]],
  "ui/components": [
    ["base"],
    ["content"],
    ["questions"],
    ["task"],
    ["console", "files"],
    ["shelf", "dialogs"],
    ["page"],
  ],
};

const outside = ["worker", "test", "bench", "eval"];

/**
 * Why a file must not import another; null where it may. Both are paths from the root, or the second is a module of Node.
 *
 * @returns {string | null}
 */
export function whyForbidden(/** @type {string} */ from, /** @type {string} */ to) {
  const [top, folder] = from.split("/");
  const [topOfTarget = "", folderOfTarget = ""] = to.split("/");
  if (top === "worker") {
    const isForbidden = topOfTarget === "src" && to !== face("protocol");
    return isForbidden ? "Page and worker share only src/protocol, by its index.ts." : null;
  }
  if (top !== "src") return null;
  if (to.startsWith("node:")) {
    const isForNode = folder === "command-line" || /\/vite-plugin-[\w-]+\.ts$/.test(from);
    return isForNode ? null : "Pages have no modules of Node: they are for src/command-line.";
  }
  if (outside.includes(topOfTarget)) return "src/ stands alone; the worker comes as text.";
  if (topOfTarget !== "src") return null;
  if (folderOfTarget === folder) return whyUpward(from, to);
  if (from === "src/index.ts")
    return to === publicList(folderOfTarget) ? null : "What is public is in each folder's public.ts.";
  const level = layers.findIndex((layer) => layer.includes(folder ?? ""));
  if (level === -1) return `src/${folder} stands in no layer of .ci/import-layers.mjs.`;
  const lower = layers.slice(0, level + 1).flat();
  if (lower.some((name) => to === face(name))) return null;
  return "Import a folder of the same layer or a lower one, and only its index.ts.";
}

/** Why a file must not import another one of its folder; null where it may. */
function whyUpward(/** @type {string} */ from, /** @type {string} */ to) {
  for (const [folder, order] of Object.entries(rooms)) {
    const room = roomOf(from, folder);
    const roomOfTarget = roomOf(to, folder);
    if (room === null || roomOfTarget === null || room === roomOfTarget) continue;
    const level = levelOf(room, order);
    const levelOfTarget = levelOf(roomOfTarget, order);
    if (level === order.length || levelOfTarget < level) continue;
    const place = levelOfTarget === level ? "beside" : "above";
    return `In src/${folder} ${roomOfTarget} is ${place} ${room}: a room imports those before it in .ci/import-layers.mjs.`;
  }
  return null;
}

/**
 * The folder within a folder of src/, or the name of a file that lies beside those; null for a file that is elsewhere.
 *
 * @returns {string | null}
 */
export function roomOf(/** @type {string} */ file, /** @type {string} */ folder) {
  const inside = `src/${folder}/`;
  return file.startsWith(inside) ? (file.slice(inside.length).split("/")[0] ?? "").replace(/\.ts$/, "") : null;
}

function levelOf(/** @type {string} */ room, /** @type {readonly (readonly string[])[]} */ order) {
  const level = order.findIndex((beside) => beside.includes(room));
  return level === -1 ? order.length : level;
}

function face(/** @type {string} */ folder) {
  return `src/${folder}/index.ts`;
}

/** What the package exports of a folder. */
function publicList(/** @type {string} */ folder) {
  return `src/${folder}/public.ts`;
}
