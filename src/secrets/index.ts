export * from "./public.js";
export { SecretReferenceError } from "./errors.js";
export { fillReferences, referencesIn } from "./references.js";
export { UsedSecrets } from "./used-secrets.js";
