import { z } from "zod";

import { ReactAgent } from "../../src/agent/index.js";
import type { Session } from "../../src/session/index.js";
import { functionTool, type ToolAdapter } from "../../src/tools/index.js";
import { toJson } from "../checks.js";
import { taskText } from "../task.js";
import { BY_HAND } from "../transcript.js";
import { savedArtifacts, type EvalAgent } from "./agent.js";

/** More than for the others: a step of this agent is a call or a few, and no program. */
const MOST_STEPS = 60;

export const reactAgent: EvalAgent = {
  name: "react",
  title: "JSON agent",
  // It is the real one; its calls are what an ideal one would be derived from.
  isCompared: false,
  run: async ({ session, model, task, signal }) => {
    for (const tool of sessionTools(session)) session.tools.register(tool);
    const run = new ReactAgent({
      session,
      model,
      maxSteps: MOST_STEPS,
      temperature: 0,
      // As much as the code agent is shown.
      observationLength: 10_000,
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
      entries: run.events.flatMap((event) => (event.type === "call" ? [event.entry] : [])),
    };
  },
};

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
