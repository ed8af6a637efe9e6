import { checkArgument } from "../options/index.js";
import type { EditableSecretStore } from "./secret-store.js";

/**
 * Secrets that outlive the page, in localStorage under `prefix` and their name:
 * for a person who asked for that. No worker reaches localStorage, but every
 * script of the origin does, and it is not encrypted.
 */
export function localStorageSecrets(prefix = "vitrine-secret:"): EditableSecretStore {
  checkArgument("localStorageSecrets", "prefix", prefix, "string");
  return {
    get: (name) => attempt(() => localStorage.getItem(prefix + name) ?? undefined),
    names: () =>
      attempt(() =>
        Object.keys(localStorage)
          .filter((key) => key.startsWith(prefix))
          .map((key) => key.slice(prefix.length)),
      ),
    set: (name, value) =>
      attempt(() => {
        localStorage.setItem(prefix + name, value);
      }),
    delete: (name) =>
      attempt(() => {
        localStorage.removeItem(prefix + name);
      }),
  };
}

/** A browser that forbids storage throws at the name `localStorage` already: that is a rejection, too. */
function attempt<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
