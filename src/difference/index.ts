export { areComparable, comparableText, markedLines } from "./comparable-texts.js";
export {
  differenceHunks,
  differenceOfLines,
  lineDifference,
  unifiedDifference,
  unifiedHunks,
  type DifferenceLine,
} from "./line-difference.js";
