export { SecretNotFoundError } from "./errors.js";
export { localStorageSecrets } from "./local-storage-secrets.js";
export { memorySecrets, type EditableSecretStore, type SecretStore } from "./secret-store.js";
