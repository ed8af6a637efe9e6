import { CodeAgent } from "../../src/agent/index.js";
import { codingAgent } from "../../src/coding/index.js";
import { toJson } from "../checks.js";
import { taskText } from "../task.js";
import { MOST_STEPS, savedArtifacts, type EvalAgent } from "./agent.js";

export const codeAgent: EvalAgent = {
  name: "code",
  title: "code agent",
  isCompared: true,
  worksOnFiles: true,
  run: async ({ session, model, task, signal }) => {
    const agent =
      task.project === undefined
        ? new CodeAgent({ session, model, maxSteps: MOST_STEPS })
        : codingAgent({ session, model });
    const run = agent.run(taskText(task), { signal });
    const { answer, error, state, steps } = await run.result;
    return {
      answer: toJson(answer?.value),
      artifacts: await savedArtifacts(session),
      failure: state === "completed" ? null : `${state}${error === null ? "" : `: ${error.message}`}`,
      steps: steps.length,
      taskId: run.taskId,
      entries: run.events.flatMap((event) => (event.type === "call" ? [event.entry] : [])),
    };
  },
};
