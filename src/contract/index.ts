export {
  checkFilename,
  contractRecord,
  INLINE_FORMATS,
  LONGEST_CONTRACT,
  MOST_ENTRIES,
  parseContract,
  PROJECT_LOG,
  type Contract,
  type ContractEntry,
  type FileEntry,
  type InlineEntry,
  type InlineFormat,
} from "./contract.js";
export { ContractError, tooLong, type ContractFault } from "./errors.js";
