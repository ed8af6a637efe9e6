import { indexedDBStorage, Session } from "vitrine";

export function openWithCommands(): Promise<Session> {
  return Session.open({
    storage: indexedDBStorage("demo"),
    commands: {
      wc: (_argv, { stdin }) => `${String(new TextDecoder().decode(stdin).split("\n").length - 1)}\n`,
    },
  });
}
