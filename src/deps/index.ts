export * from "./public.js";
export { parseDepSpec } from "./dep-spec.js";
export { DepsStore, type Dep } from "./deps-store.js";
export { WheelFolder, type WheelFile } from "./wheel-folder.js";
