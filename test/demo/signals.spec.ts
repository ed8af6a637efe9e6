import { expect, test } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { openDemo, runTask, unfoldSteps, useModel } from "./demo.js";

const block = (...lines: string[]): string => ["```python", ...lines, "```"].join("\n");

let server: ModelServer;
test.beforeAll(async () => {
  server = await startModelServer();
});
test.afterAll(() => server.close());

test("signals stand beside the output, and are summed up under the answer with how it was checked", async ({
  page,
}) => {
  const replies = [
    block("explore('Two ways to count.')", "uncertain('March may be missing.')", "print('looked')"),
    block("final_answer(5, verified_by='counted twice')"),
  ];
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario(replies)) });

  const card = await runTask(page, "How many are there?");

  await unfoldSteps(card);
  await expect(card.locator(".out.signal")).toHaveText([
    "Trying: Two ways to count.",
    "Not sure: March may be missing.",
  ]);
  await expect(card.locator(".answer")).toContainText("Checked by the agent: counted twice");
  await card.getByText("2 signals on the way").click();
  await expect(card.locator(".signals li")).toHaveText([
    "Step 1, Trying: Two ways to count.",
    "Step 1, Not sure: March may be missing.",
  ]);
});
