export { DepSpecError, RuntimeDepsDisabledError } from "./errors.js";
export { parseDepSpec, type DepSpec } from "./dep-spec.js";
export { DepsStore, type Dep, type DepsChange, type DepsStoreOptions } from "./deps-store.js";
export { DepUnavailableError, WheelFolder, type WheelFile } from "./wheel-folder.js";
