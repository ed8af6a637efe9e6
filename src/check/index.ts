export { inOrder, placeOf, type Finding, type FindingCode } from "./finding.js";
export { judgeToolUse } from "./judge-tool-use.js";
export {
  TypeCheckerClosedError,
  TypeCheckerLostError,
  TypeCheckerStartError,
  TypeCheckTimeoutError,
} from "./pyright/errors.js";
export { pyrightTypeChecker, type PyrightTypeChecker, type PyrightTypeCheckerOptions } from "./pyright-type-checker.js";
export { refusalOf, warningText } from "./refusal.js";
export { STUB_MODULES, type TypeChecker, type TypeCheckRequest } from "./type-checker.js";
