import type { AgentSession, ToolClient } from "../agent-session.js";
import type { TrialAccess } from "./agent-kind.js";

/** Of a session that may be able to try skills; null where it is not. */
export function trialAccess(
  session: Pick<AgentSession, "openTrial">,
  {
    calls: client,
    tools,
    imports,
  }: Pick<TrialAccess, "tools" | "imports"> & { readonly calls: Pick<ToolClient, "openCalls"> | undefined },
): TrialAccess | null {
  const openTrial = session.openTrial?.bind(session);
  if (openTrial === undefined || client === undefined) return null;
  return {
    tools,
    imports,
    openTrial,
    openCalls: (options) => {
      const calls = client.openCalls(options);
      return {
        createSkill: (skill, about) => {
          if (calls.createSkill === undefined) return Promise.reject(new TypeError("The session saves no skills."));
          return calls.createSkill(skill, about);
        },
        close: () => {
          calls.close();
        },
      };
    },
  };
}
