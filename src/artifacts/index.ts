export * from "./public.js";
export type { ArtifactContent } from "./artifact.js";
export { ArtifactStore, DEFAULT_ARTIFACTS_SIZE, type ArtifactStoreOptions } from "./artifact-store.js";
export { ARTIFACTS_PATH } from "./names.js";
export { OutputStore, type OutputStoreOptions } from "./output-store.js";
