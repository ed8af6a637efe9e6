import { expect, inject, test } from "vitest";

import page from "../../../docs/agents.md?raw";
import { dictatedScenario } from "../../servers/dictated-replies.js";
import { may } from "./agents-sample.js";
import sample from "./agents-sample.ts?raw";
import { lamps } from "./react-sample.js";
import reactSample from "./react-sample.ts?raw";

test.each([sample, reactSample])("docs/agents.md shows the samples that run here", (source) => {
  const [, body = ""] = /\/\/ #region agents\n([^]*?)\/\/ #endregion/.exec(source) ?? [];

  expect(page).toContain(body.replaceAll("../../../src/index.js", "vitrine").replace("export async", "async").trim());
});

test("the sample goes on with the answer of its first task in mind", async () => {
  const answers = (total: number): string =>
    `\`\`\`python\nfinal_answer({"total": ${String(total)}, "currency": "EUR"}, verified_by="added up twice")\n\`\`\``;
  const baseURL = `${inject("modelServer")}/${dictatedScenario([answers(5), answers(7)])}/v1`;

  expect(await may(baseURL, "sk-test")).toBe("{'total': 7, 'currency': 'EUR'}");
});

test("the JSON agent's sample calls its tool and answers", async () => {
  const call = { id: "a", name: "stock", arguments: '{"item": "lamp"}' };
  const baseURL = `${inject("modelServer")}/${dictatedScenario([{ calls: [call] }, "Seven."])}/v1`;

  expect(await lamps(baseURL, "sk-test")).toBe("Seven. (1 call)");
});
