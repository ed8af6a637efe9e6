import { indexedDBStorage, Session, sparePolicyHere, type ApprovalRequest, type ToolAdapter } from "vitrine";

export function openGuarded(
  mail: ToolAdapter,
  askThePerson: (request: ApprovalRequest) => Promise<boolean>,
): Promise<Session> {
  return Session.open({
    storage: indexedDBStorage("mail"),
    tools: [mail],
    approvals: { "tools.mail": "ask", "skills.create": "deny" },
    onApproval: async (request) => ({ decision: (await askThePerson(request)) ? "allow" : "deny" }),
    allowedHosts: ["api.example.org"],
    limits: { callsPerRun: 100, heapSize: 512 * 2 ** 20 },
    spare: sparePolicyHere(), // a second interpreter, so that reset() is immediate
  });
}
