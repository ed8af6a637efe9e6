export type { Artifact, ArtifactChange, ArtifactContent, ArtifactKind, ArtifactOptions } from "./artifact.js";
export { ArtifactStore, DEFAULT_ARTIFACTS_SIZE, type ArtifactStoreOptions } from "./artifact-store.js";
export { ArtifactDataError, ArtifactNameError, ArtifactNotFoundError, ArtifactsFullError } from "./errors.js";
export { ARTIFACTS_PATH } from "./names.js";
export { OutputStore, type OutputStoreOptions } from "./output-store.js";
