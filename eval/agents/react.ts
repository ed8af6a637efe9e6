import { z } from "zod";

import { ReactAgent, type ReactAgentOptions } from "../../src/agent/index.js";
import { codingAgent } from "../../src/coding/index.js";
import type { Session } from "../../src/session/index.js";
import { functionTool, type ToolAdapter } from "../../src/tools/index.js";
import { toJson } from "../checks.js";
import { taskText, type EvalTask } from "../task.js";
import { BY_HAND } from "../transcript.js";
import { savedArtifacts, type EvalAgent } from "./agent.js";

/** More than for the others: a step of this agent is a call or a few, and no program. */
const MOST_STEPS = 60;

export const reactAgent: EvalAgent = {
  name: "react",
  title: "JSON agent",
  // It is the real one; its calls are what an ideal one would be derived from.
  isCompared: false,
  worksOnFiles: true,
  run: async ({ session, model, task, signal }) => {
    const run = agentFor(task, session, {
      model,
      temperature: 0,
      // Transcripts are written in tool calls.
      toolCallingMode: model.name === BY_HAND ? "native" : "auto",
    }).run(taskText(task), { signal });
    const { answer, error, state, steps } = await run.result;
    return {
      answer: toJson(answer?.value),
      artifacts: await savedArtifacts(session),
      failure:
        state === "completed" && answer !== null ? null : `${state}${error === null ? "" : `: ${error.message}`}`,
      steps: steps.length,
      taskId: run.taskId,
      entries: run.events.flatMap((event) => (event.type === "call" ? [event.entry] : [])),
    };
  },
};

function agentFor(task: EvalTask, session: Session, options: Omit<ReactAgentOptions, "session">): ReactAgent {
  if (task.project !== undefined) return codingAgent({ ...options, session, kind: "react" });
  for (const tool of sessionTools(session)) session.tools.register(tool);
  // As much as the code agent is shown.
  return new ReactAgent({ ...options, session, maxSteps: MOST_STEPS, observationLength: 10_000 });
}

/** What code finds in any session, files and artifacts, as tools: without them this agent could not do the tasks at all. */
function sessionTools(session: Session): ToolAdapter[] {
  return [
    functionTool({
      name: "list_files",
      description: "The paths of the user's files.",
      input: z.object({}),
      hints: { readOnly: true },
      run: async () => (await session.workspace.list()).map(({ path }) => `/workspace/${path}`),
    }),
    functionTool({
      name: "read_file",
      description: "The text of one of the user's files.",
      input: z.object({ path: z.string().describe("As list_files gives it.") }),
      hints: { readOnly: true },
      run: async ({ path }) =>
        new TextDecoder().decode(await session.workspace.read(path.replace(/^\/workspace\//, ""))),
    }),
    functionTool({
      name: "save_artifact",
      description: "Saves a text for the user under a name.",
      input: z.object({ name: z.string(), text: z.string() }),
      run: async ({ name, text }) => {
        await session.artifacts.save(name, text);
        return "Saved.";
      },
    }),
  ];
}
