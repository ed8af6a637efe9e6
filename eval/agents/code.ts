import { CodeAgent } from "../../src/agent/index.js";
import { toJson } from "../checks.js";
import { taskText } from "../task.js";
import { MOST_STEPS, savedArtifacts, type EvalAgent } from "./agent.js";

export const codeAgent: EvalAgent = {
  name: "code",
  title: "code agent",
  isCompared: true,
  run: async ({ session, model, task, signal }) => {
    const run = new CodeAgent({ session, model, maxSteps: MOST_STEPS }).run(taskText(task), { signal });
    const { answer, error, state, steps } = await run.result;
    return {
      answer: toJson(answer?.value),
      artifacts: await savedArtifacts(session),
      failure: state === "completed" ? null : `${state}${error === null ? "" : `: ${error.message}`}`,
      steps: steps.length,
      entries: run.events.flatMap((event) => (event.type === "call" ? [event.entry] : [])),
    };
  },
};
