export type { Artifact, ArtifactChange, ArtifactKind, ArtifactOptions } from "./artifact.js";
export { ArtifactDataError, ArtifactNameError, ArtifactNotFoundError, ArtifactsFullError } from "./errors.js";
