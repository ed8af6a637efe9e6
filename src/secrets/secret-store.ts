import { checkArgument } from "../options/index.js";
/**
 * Where the session's secrets are. It is asked on the page alone, when an
 * adapter is about to use one; no value of it goes to the worker, the journal
 * or the session's storage.
 */
export interface SecretStore {
  /** `undefined` when there is no secret of that name. */
  get(name: string): Promise<string | undefined>;
  names(): Promise<readonly string[]>;
}

/** A store that a settings page can fill. */
export interface EditableSecretStore extends SecretStore {
  set(name: string, value: string): Promise<void>;
  /** Nothing happens when there is no secret of that name. */
  delete(name: string): Promise<void>;
}

/** Secrets that are gone when the page is. */
export function memorySecrets(secrets: Readonly<Record<string, string>> = {}): EditableSecretStore {
  checkArgument("memorySecrets", "secrets", secrets, "object");
  const values = new Map(Object.entries(secrets));
  return {
    get: (name) => Promise.resolve(values.get(name)),
    names: () => Promise.resolve([...values.keys()]),
    set: (name, value) => {
      values.set(name, value);
      return Promise.resolve();
    },
    delete: (name) => {
      values.delete(name);
      return Promise.resolve();
    },
  };
}
