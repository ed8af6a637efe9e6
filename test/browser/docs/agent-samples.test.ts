import { expect, inject, test } from "vitest";
import { z } from "zod";

import { ask as askModel } from "../../../docs/samples/ask-a-model.js";
import { may } from "../../../docs/samples/code-agent.js";
import { mend, session as codingSession } from "../../../docs/samples/coding-agent.js";
import { open } from "../../../docs/samples/write-code.js";
import { ask } from "../../../docs/samples/first-agent.js";
import { drawLogo } from "../../../docs/samples/image-model.js";
import { lamps } from "../../../docs/samples/json-agent.js";
import { learn } from "../../../docs/samples/learned-skills.js";
import { goOn, lookAt, session, tasks } from "../../../docs/samples/saved-tasks.js";
import { compare } from "../../../docs/samples/several-agents.js";
import { CodeAgent, functionTool, memoryStorage, Session } from "../../../src/index.js";
import { dictatedModel, dictatedURL, python } from "./sample-model.js";

const weather = functionTool({
  name: "weather",
  description: "Current weather of a city.",
  input: z.object({ city: z.string() }),
  run: ({ city }) => ({ city, celsius: 7 }),
});

test("a model is asked, and its text comes as it is written", async () => {
  expect(await askModel(dictatedURL("Five."), "sk-test")).toBe("Five.");
});

test("a model makes an image", async () => {
  const { bytes, ...rest } = await drawLogo(`${inject("imageServer")}/v1`, "sk-test");

  expect(bytes.length).toBeGreaterThan(100);
  expect(rest).toEqual({ mime: "image/png", notices: [], usage: null });
});

test("the README's agent answers by a tool of its session", async () => {
  const opened = await Session.open({ storage: memoryStorage(), tools: [weather] });
  const reply = python('final_answer(tools.weather(city="Oslo")["celsius"] * 9 / 5 + 32)');

  expect(await ask(opened, dictatedURL(reply), "sk-test")).toBe("44.6");
  await opened.close();
});

test("an agent goes on with the answer of its first task in mind", async () => {
  const answers = (total: number): string =>
    python(`final_answer({"total": ${String(total)}, "currency": "EUR"}, verified_by="added up twice")`);

  expect(await may(dictatedURL(answers(5), answers(7)), "sk-test")).toBe("{'total': 7, 'currency': 'EUR'}");
});

test("a JSON agent calls its tool and answers", async () => {
  const call = { id: "a", name: "stock", arguments: '{"item": "lamp"}' };

  expect(await lamps(dictatedURL({ calls: [call] }, "Seven."), "sk-test")).toBe("Seven. (1 call)");
});

test("a coding agent mends a file, and what is not kept is undone", async () => {
  const { workspace } = codingSession;
  await workspace.write("tests/test_one.py", "1 + 1 == 3\n");
  const patch = "*** Begin Patch\\n*** Update File: tests/test_one.py\\n@@\\n-1 + 1 == 3\\n+1 + 1 == 2\\n*** End Patch";
  const model = () => dictatedModel(python(`tools.apply_patch(input='${patch}')\nfinal_answer('mended')`));
  const text = async () => new TextDecoder().decode(await workspace.read("tests/test_one.py"));

  expect(await mend(model(), (diff) => !diff.includes("+1 + 1 == 2"))).toBe("mended");
  expect(await text()).toBe("1 + 1 == 3\n");
  expect(await mend(model(), () => true)).toBe("mended");
  expect(await text()).toBe("1 + 1 == 2\n");
  await codingSession.close();
});

test("a file is written by several models when its person agrees", async () => {
  const written = (name: string) => python("def greet(name):", `    return f"${name}, {name}"`);
  const url = dictatedURL(written("Hello"), written("Good day"), "2\nIt is polite.");
  const opened = await open(url, ({ files = [] }) =>
    Promise.resolve({ decision: files[0]?.difference.includes("+def greet") === true ? "allow" : "deny" }),
  );
  const files = "[{'filename': 'greet.py', 'code_description': 'A function greet(name).'}]";
  const call = `tools.write_codebase_tool(command="write_codebase", files=${files})`;
  const { value, error } = await opened.run(`${call}\nfrom greet import greet\ngreet("Ada")`);
  await opened.close();
  indexedDB.deleteDatabase("my-site");

  expect(error).toBeNull();
  expect(["Hello, Ada", "Good day, Ada"]).toContain(value);
});

test("a saved task that was interrupted goes on, and is looked at again", async () => {
  const model = dictatedModel(python("x = 1"), python("final_answer(2)"), python("final_answer(3)"));
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

test("an agent with another one as a tool asks it about each file", async () => {
  const asks = 'asks = [tools.reader.call_async(task=f"How gloomy is {n}.md?") for n in "ab"]';
  const large = dictatedModel(python("import asyncio", asks, "final_answer(sum(await asyncio.gather(*asks)))"));

  expect(await compare(large, dictatedModel(python("final_answer(21)")))).toBe("42");
});

test("a skill that a task proposes is kept when its person agrees", async () => {
  const source = `import calendar\n\ndef run(year: int, month: int) -> int:\n    """Days of a month."""\n    return calendar.monthrange(year, month)[1]`;
  const about = { name: "days_in_month", arguments: { year: 2026, month: 5 } };
  const proposal = `${python(source)}\n\`\`\`json\n${JSON.stringify(about)}\n\`\`\``;
  const model = dictatedModel(python("final_answer(31)"), proposal);

  expect(await learn(model, ({ notes }) => Promise.resolve(notes.includes("It returned 31.")))).toBe(
    "saved: days_in_month",
  );
});
