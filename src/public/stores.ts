// What a session keeps, where it keeps it, and what it takes from the page.
export {
  ArtifactDataError,
  ArtifactNameError,
  ArtifactNotFoundError,
  ArtifactsFullError,
  type Artifact,
  type ArtifactChange,
  type ArtifactKind,
  type ArtifactOptions,
} from "../artifacts/index.js";
export {
  CommandNotFoundError,
  type PageCommand,
  type PageCommandContext,
  type PageCommandOutcome,
} from "../commands/index.js";
export {
  DepsFullError,
  DepSpecError,
  DepUnavailableError,
  RuntimeDepsDisabledError,
} from "../deps/index.js";
export {
  localStorageSecrets,
  memorySecrets,
  SecretNotFoundError,
  type EditableSecretStore,
  type SecretStore,
} from "../secrets/index.js";
export {
  SkillError,
  SkillNotFoundError,
  SkillsFullError,
  SkillSyntaxError,
  SkillValidationError,
  type NewSkill,
  type ScoredSkill,
  type Skill,
  type SkillChange,
  type SkillListing,
  type SkillParameter,
  type SkillSearchOptions,
} from "../skills/index.js";
export {
  indexedDBStorage,
  memoryStorage,
  StorageBlockedError,
  StorageError,
  StorageFormatError,
  StorageFullError,
  StorageWriteError,
  StorageReadError,
  type IndexedDBStorageOptions,
  type MemoryStorageOptions,
  type StorageBackend,
} from "../storage/index.js";
export {
  WorkspaceFullError,
  WorkspaceNotFoundError,
  WorkspacePathError,
  type Workspace,
  type WorkspaceEvent,
  type WorkspaceFile,
  type WorkspaceOptions,
} from "../workspace/index.js";
