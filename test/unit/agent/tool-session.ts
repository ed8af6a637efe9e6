import type { ToolClient, ToolSession } from "../../../src/agent/index.js";
import { SessionClient } from "../../../src/session/client/session-client.js";
import { budgetOf } from "../../../src/session/runs/run-plan.js";
import type { SessionOptions } from "../../../src/session/index.js";
import { createServices, type Services } from "../../../src/session/calls/services.js";
import { memoryStorage } from "../../../src/storage/index.js";
import type { ToolAdapter } from "../../../src/tools/index.js";

export interface PageSide {
  readonly services: Services;
  readonly client: () => SessionClient;
  readonly close: () => void;
}

/**
 * The page's side of a session, without an interpreter: real tools, policy and journal, for tests of what needs no
 * worker. With a whole session, and with a person, the same is tested in the browser.
 */
export function pageSide(
  tools: readonly ToolAdapter[],
  { caller = "agent", ...options }: Partial<SessionOptions> & { readonly caller?: "agent" | "client" } = {},
): PageSide {
  const noInterpreter = (): never => {
    throw new Error("There is no interpreter here.");
  };
  const closing = new AbortController();
  const services = createServices(
    { storage: memoryStorage(), shell: false, ...options },
    {
      runSkill: noInterpreter,
      inspectSkill: noInterpreter,
      callPythonTool: noInterpreter,
      currentRun: () => undefined,
      pauseClock: () => () => undefined,
      pauseRun: () => () => undefined,
      files: { collectFiles: noInterpreter, applyFiles: noInterpreter },
      waitingCode: () => undefined,
      textInterpreter: noInterpreter,
    },
  );
  for (const tool of tools) services.registry.register(tool);
  return {
    services,
    client: () =>
      new SessionClient(services, {
        tools: services.tools,
        caller,
        parent: undefined,
        limits: budgetOf(options),
        signal: closing.signal,
        watchPauses: () => () => undefined,
        run: noInterpreter,
      }),
    close: () => {
      closing.abort();
    },
  };
}

/** What an agent needs of it. */
export function toolSession(
  tools: readonly ToolAdapter[],
  options: Partial<SessionOptions> = {},
): ToolSession & { readonly close: () => void } {
  const { client, close } = pageSide(tools, options);
  return { tools: {}, client: (): ToolClient => client(), close };
}
