export {
  differenceHunks,
  differenceOfLines,
  lineDifference,
  unifiedDifference,
  unifiedHunks,
  type DifferenceLine,
} from "./line-difference.js";
