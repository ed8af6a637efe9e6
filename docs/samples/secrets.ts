import { indexedDBStorage, memorySecrets, Session } from "vitrine";

export function openWithKey(key: string): Promise<Session> {
  return Session.open({
    storage: indexedDBStorage("demo"),
    secrets: memorySecrets({ LIBRARY_KEY: key }), // or localStorageSecrets(), if the person asks for that
  });
}
