import {
  auditMiddleware,
  cacheResults,
  denyCalls,
  memoryStorage,
  retryCalls,
  rewriteArguments,
  Session,
  type ToolAdapter,
} from "vitrine";

export function openWithMiddleware(tools: ToolAdapter[], isOurs: (address: unknown) => boolean): Promise<Session> {
  return Session.open({
    storage: memoryStorage(),
    tools,
    middleware: [
      auditMiddleware({
        onEnd: ({ name, caller }, outcome) => {
          console.log(name, caller, outcome.kind);
        },
      }),
      denyCalls("tools.mail", ({ arguments: { to } }) => (isOurs(to) ? undefined : "mail stays inside the house")),
      cacheResults({ maxAge: 60_000 }),
      retryCalls({ attempts: 3 }),
      rewriteArguments("tools.web_search", (args) => ({ ...args, safe: true })),
      (call, next) => next({ ...call, signal: AbortSignal.any([call.signal, AbortSignal.timeout(5000)]) }),
    ],
  });
}
