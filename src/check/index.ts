export { closestName } from "./closest-name.js";
export { inOrder, placeOf, type Finding, type FindingCode } from "./finding.js";
export { judgeToolUse } from "./judge-tool-use.js";
export { refusalOf, warningText } from "./refusal.js";
export type { TypeChecker, TypeCheckRequest } from "./type-checker.js";
