export type { ContentClaim } from "./content-format.js";
export type { ContentSource, ValidateContentOptions } from "./content-validator.js";
export { ContentCheckEndedError } from "./errors.js";
export type { ContentDepth, ContentReport, InvalidContent, OddContent, ValidContent } from "./report.js";
export { validateContent } from "./validate-content.js";
export type {
  ContentFacts,
  ContentFaultCode,
  ContentFormat,
  ContentLimits,
  ContentOddity,
  ContentOddityCode,
} from "../protocol/index.js";
