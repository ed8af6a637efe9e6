import { indexedDBStorage, Session } from "vitrine";

export function openWithSeeds(): Promise<Session> {
  return Session.open({
    storage: indexedDBStorage("demo"),
    seeds: [
      { file: "tools/wc.yaml", text: "name: wc\nrecipes: { count: {} }" },
      { file: "skills/double.py", text: "def run(n: int): return n * 2" },
    ],
  });
}
