export { SecretNotFoundError, SecretReferenceError } from "./errors.js";
export { fillReferences, referencesIn } from "./references.js";
export { localStorageSecrets } from "./local-storage-secrets.js";
export { memorySecrets, type EditableSecretStore, type SecretStore } from "./secret-store.js";
export { UsedSecrets } from "./used-secrets.js";
