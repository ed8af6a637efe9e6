import { expect, inject, test } from "vitest";

import page from "../../../docs/agents.md?raw";
import { dictatedScenario } from "../../servers/dictated-replies.js";
import { may } from "./agents-sample.js";
import sample from "./agents-sample.ts?raw";

test("docs/agents.md shows the sample that runs here", () => {
  const [, body = ""] = /\/\/ #region agents\n([^]*?)\/\/ #endregion/.exec(sample) ?? [];

  expect(page).toContain(body.replaceAll("../../../src/index.js", "vitrine").replace("export async", "async").trim());
});

test("the sample goes on with the answer of its first task in mind", async () => {
  const answers = (total: number): string =>
    `\`\`\`python\nfinal_answer({"total": ${String(total)}, "currency": "EUR"}, verified_by="added up twice")\n\`\`\``;
  const baseURL = `${inject("modelServer")}/${dictatedScenario([answers(5), answers(7)])}/v1`;

  expect(await may(baseURL, "sk-test")).toBe("{'total': 7, 'currency': 'EUR'}");
});
