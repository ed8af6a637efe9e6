export { openRuntime, type OpenRuntime, type RuntimeOptions } from "./open-runtime.js";
export {
  CellFileError,
  CellPackageError,
  CellSetupError,
  CellStoppedError,
  CellToolError,
  CellTrustError,
} from "./errors.js";
export type { PageTools } from "./cell-tools.js";
