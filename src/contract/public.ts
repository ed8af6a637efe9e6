export type {
  Contract,
  ContractEntry,
  FileEntry,
  FileSlotSpec,
  InlineEntry,
  InlineFormat,
  InlineSlotSpec,
  SlotSpec,
  TurnContract,
} from "./contract.js";
export { ContractError, type ContractFault } from "./errors.js";
