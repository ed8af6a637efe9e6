export * from "./public.js";
export { inOrder, positionOf } from "./finding.js";
export { judgeToolUse } from "./judge-tool-use.js";
export { refusalOf, warningText } from "./refusal.js";
export { STUB_MODULES } from "./type-checker.js";
