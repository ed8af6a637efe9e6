export type { Finding, FindingCode } from "./finding.js";
export {
  TypeCheckerClosedError,
  TypeCheckerLostError,
  TypeCheckerStartError,
  TypeCheckTimeoutError,
} from "./pyright/errors.js";
export { pyrightTypeChecker, type PyrightTypeChecker, type PyrightTypeCheckerOptions } from "./pyright-type-checker.js";
export type { TypeChecker, TypeCheckRequest } from "./type-checker.js";
