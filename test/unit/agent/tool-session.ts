import type { ToolClient, ToolSession } from "../../../src/agent/index.js";
import { SessionClient } from "../../../src/session/session-client.js";
import { createServices } from "../../../src/session/services.js";
import { memoryStorage } from "../../../src/storage/index.js";
import type { ToolAdapter } from "../../../src/tools/index.js";

/**
 * The page's side of a session, without an interpreter: real tools, policy and journal, for tests of what needs no
 * worker. With a whole session, and with a person, the agent is tested in the browser.
 */
export function toolSession(tools: readonly ToolAdapter[]): ToolSession & { readonly close: () => void } {
  const noInterpreter = (): never => {
    throw new Error("There is no interpreter here.");
  };
  const closing = new AbortController();
  const services = createServices(
    { storage: memoryStorage(), shell: false },
    {
      runSkill: noInterpreter,
      inspectSkill: noInterpreter,
      callPythonTool: noInterpreter,
      currentRun: () => undefined,
      pauseClock: () => () => undefined,
      pauseRun: () => () => undefined,
      commandFiles: { take: noInterpreter, put: noInterpreter },
    },
  );
  for (const tool of tools) services.registry.register(tool);
  const client = (): ToolClient =>
    new SessionClient(services, {
      tools: services.tools,
      caller: "agent",
      lineage: undefined,
      signal: closing.signal,
      watchPauses: () => () => undefined,
      run: noInterpreter,
    });
  return {
    tools: {},
    client,
    close: () => {
      closing.abort();
    },
  };
}
