export * from "./public.js";
export {
  checkFilename,
  contractMismatch,
  contractRecord,
  INLINE_FORMATS,
  LONGEST_CONTRACT,
  MOST_ENTRIES,
  parseContract,
  parseTurnContract,
  PROJECT_LOG,
} from "./contract.js";
export { jsonParameter } from "./errors.js";
