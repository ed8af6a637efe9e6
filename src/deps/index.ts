export * from "./public.js";
export { parseDepSpec } from "./dep-spec.js";
export { DepsStore, type Dep } from "./deps-store.js";
export { packageOfWheel } from "./package-name.js";
export type { WheelFile } from "./resolve-packages.js";
export { WheelFolder } from "./wheel-folder.js";
