import { memoryStorage, Session } from "vitrine";

interface Places {
  /** A folder of the site, with an index.json. */
  readonly folder: string;
  /** A simple index in JSON. */
  readonly index: string;
}

export function openWithPackages(
  { folder, index }: Places,
  askThePerson: (question: string) => Promise<boolean>,
): Promise<Session> {
  return Session.open({
    storage: memoryStorage(),
    packages: [{ folder }, { index, hosts: ["files.example.org"] }],
    deps: ["attrs"],
    onApproval: async ({ reason }) => ({ decision: (await askThePerson(reason)) ? "allow" : "deny" }),
  });
}
