// Which folders of src/ may import which: those of lower layers and of their own, always by the index.ts.

/** From the lowest to the highest. */
const layers = [
  ["protocol"],
  ["options"],
  [
    "executor",
    "bridge",
    "check",
    "commands",
    "content",
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
  ["session"],
  ["agent", "outward", "codegen", "context", "turn-loop"],
  ["ui"],
];

const outside = ["worker", "test", "bench", "eval"];

/**
 * Why a file must not import another; null where it may. Both are paths from the root.
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
  if (outside.includes(topOfTarget)) return "src/ stands alone; the worker comes as text.";
  if (topOfTarget !== "src" || folderOfTarget === folder) return null;
  if (from === "src/index.ts") return folderOfTarget === "public" ? null : "What is public stands in src/public.";
  const level = folder === "public" ? layers.length - 1 : layers.findIndex((layer) => layer.includes(folder ?? ""));
  if (level === -1) return `src/${folder} stands in no layer of .ci/import-layers.mjs.`;
  const lower = layers.slice(0, level + 1).flat();
  if (lower.some((name) => to === face(name))) return null;
  return "Import a folder of the same layer or a lower one, and only its index.ts.";
}

function face(/** @type {string} */ folder) {
  return `src/${folder}/index.ts`;
}
