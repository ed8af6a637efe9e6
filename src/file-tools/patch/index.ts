export { applyPatch, type AppliedPatch } from "./apply-patch.js";
export { applyPatchTool } from "./apply-patch-tool.js";
export { PatchConflictError, PatchError } from "./errors.js";
export { BARE_PATCH, patchInCommand, patchInScript, type PatchCommand } from "./patch-in-command.js";
export type { PatchedFile, PatchFiles } from "./patch-files.js";
