import type { AgentSession, ToolClient } from "../agent-session.js";
import type { LearningGround } from "./agent-kind.js";

/** What skills are learned on, of a session that may be able to try some; null where it is not. */
export function learningGround(
  session: Pick<AgentSession, "openTrial">,
  {
    calls: client,
    tools,
    imports,
  }: Pick<LearningGround, "tools" | "imports"> & { readonly calls: Pick<ToolClient, "openCalls"> | undefined },
): LearningGround | null {
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
