export { PyrightChecker, type PyrightCheckerOptions } from "./pyright-checker.js";
