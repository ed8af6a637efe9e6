import { expect, test } from "vitest";

import { agentTool, CodeAgent } from "../../../src/agent/index.js";
import { Session } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { behind } from "../../agents/dictated-model.js";
import { dictatedScenario } from "../../servers/dictated-replies.js";

test("an agent whose model declines tells the agent above it so, which can go on without it", async () => {
  const session = await Session.open({ storage: memoryStorage(), trust: "local" });
  session.tools.register(
    agentTool({
      name: "expert",
      description: "Knows.",
      session,
      storage: "parent",
      trust: "local",
      agent: (child) => new CodeAgent({ session: child, model: behind("refuses") }),
    }),
  );
  const code = `try:\n    tools.expert(task="Go on.")\nexcept ToolCallError as error:\n    final_answer(str(error))`;
  const run = new CodeAgent({ session, model: behind(dictatedScenario([`\`\`\`python\n${code}\n\`\`\``])) }).run(
    "Ask.",
  );

  const result = await run.result;
  await session.close();

  expect(result).toMatchObject({ state: "completed", usage: { modelCalls: 2 } });
  expect(result.output).toContain("The agent expert ended without an answer");
  expect(result.output).toContain("I cannot help.");
  const below = run.events.filter(({ taskId }) => taskId !== run.taskId);
  expect(below.filter(({ type }) => type === "error")).toMatchObject([{ code: "MODEL_REFUSED" }]);
});
