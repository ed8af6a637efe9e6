import { codegenTool, executeCodeTool, indexedDBStorage, Session, type Model } from "vitrine";

export async function openWithCodegen(model: Model): Promise<Session> {
  const session = await Session.open({ storage: indexedDBStorage("demo"), spare: "one" });
  session.tools.register(codegenTool({ session, model }));
  session.tools.register(executeCodeTool({ session })); // the same for code that is there already
  return session;
}
