export type { Artifact, ArtifactChange, ArtifactContent, ArtifactKind, ArtifactOptions } from "./artifact.js";
export { ArtifactStore } from "./artifact-store.js";
export { ArtifactDataError, ArtifactNameError, ArtifactNotFoundError } from "./errors.js";
export { ARTIFACTS_PATH } from "./names.js";
export { OutputStore, type OutputStoreOptions } from "./output-store.js";
