import { expect, inject, test } from "vitest";

import { CodeAgent, openaiModel, type Model } from "../../../src/index.js";
import page from "../../../docs/agents.md?raw";
import { dictatedScenario } from "../../servers/dictated-replies.js";
import { may } from "./agents-sample.js";
import sample from "./agents-sample.ts?raw";
import { goOn, lookAt, session, tasks } from "./saved-tasks-sample.js";
import savedSample from "./saved-tasks-sample.ts?raw";
import { compare } from "./several-agents-sample.js";
import { learn } from "./learned-skills-sample.js";
import learnedSample from "./learned-skills-sample.ts?raw";
import { lamps } from "./react-sample.js";
import reactSample from "./react-sample.ts?raw";
import several from "./several-agents-sample.ts?raw";

test.each([
  ["agents", sample],
  ["saved", savedSample],
  ["several-agents", several],
  ["react", reactSample],
  ["learned-skills", learnedSample],
])("docs/agents.md shows the sample of %s that runs here", (region, text) => {
  const [, body = ""] = new RegExp(`// #region ${region}\\n([^]*?)// #endregion`).exec(text) ?? [];
  const shown = body.replaceAll("../../../src/index.js", "vitrine").replaceAll("export async", "async");

  expect(shown.trim()).not.toBe("");
  expect(page).toContain(shown.trim());
});

test("the sample goes on with the answer of its first task in mind", async () => {
  const answers = (total: number): string =>
    `\`\`\`python\nfinal_answer({"total": ${String(total)}, "currency": "EUR"}, verified_by="added up twice")\n\`\`\``;
  const baseURL = `${inject("modelServer")}/${dictatedScenario([answers(5), answers(7)])}/v1`;

  expect(await may(baseURL, "sk-test")).toBe("{'total': 7, 'currency': 'EUR'}");
});

test("the sample of saved tasks lets one go on that was interrupted, and looks at it again", async () => {
  const block = (code: string): string => `\`\`\`python\n${code}\n\`\`\``;
  const replies = [block("x = 1"), block("final_answer(2)"), block("final_answer(3)")];
  const baseURL = `${inject("modelServer")}/${dictatedScenario(replies)}/v1`;
  const model = openaiModel({ baseURL, apiKey: "sk-test", model: "dictated" });
  const run = new CodeAgent({ session, model, tasks }).run("Count.");
  await run.result;
  const lines = (await tasks.export(run.taskId)).split("\n");
  const end = lines.findIndex((line) => line.includes('\\"type\\":\\"step-ended\\"'));
  await tasks.import(lines.slice(0, end + 1).join("\n"));

  await goOn(model);
  await expect(tasks.load(run.taskId)).resolves.toMatchObject({ state: "completed" });
  await lookAt(run.taskId);
  await session.close();
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

test("the JSON agent's sample calls its tool and answers", async () => {
  const call = { id: "a", name: "stock", arguments: '{"item": "lamp"}' };
  const baseURL = `${inject("modelServer")}/${dictatedScenario([{ calls: [call] }, "Seven."])}/v1`;

  expect(await lamps(baseURL, "sk-test")).toBe("Seven. (1 call)");
});

test("the sample of learned skills keeps what its person agrees to", async () => {
  const fence = "```";
  const source =
    'import calendar\n\ndef run(year: int, month: int) -> int:\n    """Days of a month."""\n    return calendar.monthrange(year, month)[1]';
  const about = { name: "days_in_month", arguments: { year: 2026, month: 5 } };
  const replies = [
    `${fence}python\nfinal_answer(31)\n${fence}`,
    `${fence}python\n${source}\n${fence}\n${fence}json\n${JSON.stringify(about)}\n${fence}`,
  ];
  const baseURL = `${inject("modelServer")}/${dictatedScenario(replies)}/v1`;
  const model = openaiModel({ baseURL, apiKey: "sk-test", model: "dictated" });

  expect(await learn(model, ({ notes }) => Promise.resolve(notes.includes("It returned 31.")))).toBe(
    "saved: days_in_month",
  );
});
