export * from "./public.js";
export type { ArtifactContent } from "./artifact.js";
export { ArtifactStore, DEFAULT_ARTIFACTS_SIZE } from "./artifact-store.js";
export { OutputStore } from "./output-store.js";
