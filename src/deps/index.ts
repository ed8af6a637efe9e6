export * from "./public.js";
export { parseDepSpec, type DepSpec } from "./dep-spec.js";
export { DepsStore, type Dep, type DepsChange, type DepsStoreOptions } from "./deps-store.js";
export { WheelFolder, type WheelFile } from "./wheel-folder.js";
