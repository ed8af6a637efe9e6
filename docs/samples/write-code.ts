import { indexedDBStorage, openaiModel, Session, type ApprovalAnswer, type ApprovalRequest } from "vitrine";

export function open(baseURL: string, ask: (request: ApprovalRequest) => Promise<ApprovalAnswer>): Promise<Session> {
  const model = (name: string) => openaiModel({ baseURL, model: name });
  return Session.open({
    storage: indexedDBStorage("my-site"),
    packages: [{ folder: "/packages/" }],
    onApproval: ask,
    writeCode: {
      models: [model("quick"), model("careful")],
      arbiter: model("judge"),
      fallback: model("large"),
    },
  });
}
