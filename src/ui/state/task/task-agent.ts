import { CodeAgent, ReactAgent, type AgentName, type CodeAgentOptions } from "../../../agent/index.js";
import { codingAgent } from "../../../coding/index.js";
import type { Session } from "../../../session/index.js";
import type { OnAgentQuestion } from "../questions/questions.js";
import type { DemoSettings } from "../session/settings.js";
import { limitOptions } from "../session/task-limits.js";
import { codingLimits } from "./coding-task.js";

/** What a task is solved with, as the reader has chosen it, or as it was chosen then. */
export interface TaskAgentOptions extends Pick<CodeAgentOptions, "model" | "learnsSkills" | "tasks"> {
  readonly session: Session;
  readonly settings: DemoSettings;
  readonly onQuestion: OnAgentQuestion;
  /** The recorded model speaks Python alone. */
  readonly kind: AgentName;
  /** Whether it has tools for code, and its changes can be undone. */
  readonly isCoding: boolean;
}

/** The agent of one task. */
export function taskAgent({
  settings,
  onQuestion,
  kind,
  isCoding,
  ...given
}: TaskAgentOptions): Pick<CodeAgent, "run" | "takeUp"> {
  const options = {
    // The recorded model knows no more than its recordings.
    learnsSkills: settings.kind === "openai" && settings.learnsSkills,
    ...given,
    ...limitOptions(isCoding ? codingLimits(settings.limits) : settings.limits),
  };
  if (kind === "code") {
    return isCoding ? codingAgent({ ...options, onQuestion }) : new CodeAgent({ ...options, onQuestion });
  }
  return isCoding ? codingAgent({ ...options, kind: "react" }) : new ReactAgent(options);
}
