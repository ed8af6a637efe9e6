export { isAsExpected, tidyCode, withoutLineEnds, type ExpectedOutput } from "./cell-text.js";
