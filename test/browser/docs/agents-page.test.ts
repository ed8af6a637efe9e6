import { expect, inject, test } from "vitest";

import { openaiModel, type Model } from "../../../src/index.js";
import page from "../../../docs/agents.md?raw";
import { dictatedScenario } from "../../servers/dictated-replies.js";
import { may } from "./agents-sample.js";
import sample from "./agents-sample.ts?raw";
import { compare } from "./several-agents-sample.js";
import several from "./several-agents-sample.ts?raw";

test.each([sample, several])("docs/agents.md shows the samples that run here", (source) => {
  const [, body = ""] = /\/\/ #region [\w-]+\n([^]*?)\/\/ #endregion/.exec(source) ?? [];

  expect(body).not.toBe("");
  expect(page).toContain(body.replaceAll("../../../src/index.js", "vitrine").replace("export async", "async").trim());
});

test("the sample goes on with the answer of its first task in mind", async () => {
  const answers = (total: number): string =>
    `\`\`\`python\nfinal_answer({"total": ${String(total)}, "currency": "EUR"}, verified_by="added up twice")\n\`\`\``;
  const baseURL = `${inject("modelServer")}/${dictatedScenario([answers(5), answers(7)])}/v1`;

  expect(await may(baseURL, "sk-test")).toBe("{'total': 7, 'currency': 'EUR'}");
});

test("the sample with several agents asks one for each file", async () => {
  const model = (...replies: string[]): Model => {
    const baseURL = `${inject("modelServer")}/${dictatedScenario(replies)}/v1`;
    return openaiModel({ baseURL, apiKey: "sk-test", model: "dictated" });
  };
  const block = (code: string): string => `\`\`\`python\n${code}\n\`\`\``;
  const asks = 'import asyncio\nasks = [tools.reader.call_async(task=f"How gloomy is {n}.md?") for n in "ab"]';
  const large = model(block(`${asks}\nfinal_answer(sum(await asyncio.gather(*asks)))`));

  expect(await compare(large, model(block("final_answer(21)")))).toBe("42");
});
