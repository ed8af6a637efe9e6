import { describe, expect, test } from "vitest";

import { evalAgents } from "../../../eval/agents/index.js";
import type { Measurement } from "../../../eval/evaluate.js";
import { parseOptions } from "../../../eval/options.js";
import { idealTable, problemList, successOf, summaryTable, taskTable } from "../../../eval/report.js";
import { evalTasks } from "../../../eval/tasks/index.js";

const measured: Measurement = {
  task: "odd-squares",
  level: 1,
  isProject: false,
  isBatch: false,
  agent: "code",
  source: "model",
  model: "m",
  accepted: true,
  problems: [],
  failure: null,
  steps: 2,
  toolCalls: 3,
  requests: 2,
  tokens: { input: 900, output: 100 },
  countedTokens: null,
  elapsed: 1500,
  calls: [],
  ideal: {
    single: { steps: 4, inputTokens: 3900, outputTokens: 100 },
    parallel: { steps: 2, inputTokens: 1900, outputTokens: 100 },
  },
};
const failed: Measurement = {
  ...measured,
  accepted: false,
  problems: ["answer: it is 1 and not 2"],
  failure: null,
  ideal: null,
};

describe("the tables", () => {
  test("show success, steps, tokens, calls and time of the agents side by side", () => {
    const other: Measurement = {
      ...measured,
      agent: "codegen",
      countedTokens: { input: 2000, output: 34 },
      ideal: null,
    };

    const table = summaryTable([measured, failed, other], evalAgents);

    expect(table).toMatch(/^agent +runs +success +steps +tokens +calls +time\n/);
    expect(table).toMatch(/code agent +2 +50 % \(1 of 2\) +2 +1,000 +3 +1\.5 s/);
    expect(table).toMatch(/codegen +1 +100 % \(1 of 1\) +2 +2,034 +3 +1\.5 s/);
    const [head = "", row = ""] = taskTable([measured, other], evalAgents).split("\n");
    expect(head).toMatch(/^task +code agent +.*codegen/);
    expect(row).toMatch(/^odd-squares +yes · 2 · 1,000 · 3 · 1\.5 s +.*yes · 2 · 2,034/);
  });

  test("give no success rate for replies that a person wrote", () => {
    const scripted: Measurement = { ...measured, source: "scripted", model: "hand" };

    expect(successOf([scripted])).toBe("scripted");
    expect(summaryTable([scripted], evalAgents)).not.toContain("%");
    expect(taskTable([scripted, scripted], evalAgents)).toMatch(/odd-squares +yes · 2/);
    expect(taskTable([scripted, { ...scripted, accepted: false }], evalAgents)).toMatch(/odd-squares +NO · 2/);
    expect(taskTable([measured, failed], evalAgents)).toMatch(/odd-squares +1\/2 · 2/);
    expect(successOf([{ ...measured, source: "recorded" }])).toBe("100 % (1 of 1)");
  });

  test("have the projects and batches by themselves, and no mark of codegen, which takes none", () => {
    const project: Measurement = { ...measured, task: "ledger", isProject: true, steps: 6, ideal: null };
    const all = [measured, { ...measured, agent: "codegen", ideal: null }, project, { ...project, accepted: false }];
    const batch: Measurement = { ...measured, task: "durations", isBatch: true, steps: 3, ideal: null };
    all.push(batch);

    const rows = summaryTable(all, evalAgents).split("\n");

    expect(rows.slice(1).map((row) => row.split(/ {2,}/).slice(0, 4))).toEqual([
      ["code agent", "1", "100 % (1 of 1)", "2"],
      ["codegen", "1", "100 % (1 of 1)", "2"],
      ["code agent, projects", "2", "50 % (1 of 2)", "6"],
      ["code agent, batches", "1", "100 % (1 of 1)", "3"],
    ]);
    expect(taskTable(all, evalAgents)).toMatch(/ledger +1\/2 · 6 [^–]*– +–$/m);
    expect(idealTable(all, evalAgents)).toMatch(/code agent, one call a step +1 /);
    const scripted = all.map((each): Measurement => ({ ...each, source: "scripted", model: "hand" }));
    expect(summaryTable(scripted, evalAgents)).not.toContain("%");
  });

  test("leave runs whose page failed out of the means, and say how many", () => {
    const lost: Measurement = {
      ...failed,
      failure: "The page does not answer.",
      steps: null,
      elapsed: null,
      toolCalls: 0,
    };

    const table = summaryTable([measured, lost], evalAgents);

    expect(table).toMatch(/code agent +2 +50 % \(1 of 2\) +2 +1,000 +3 +1\.5 s/);
    expect(table).toContain("Failed beside the agent and left out of the means: 1.");
    expect(taskTable([lost], evalAgents)).toMatch(/odd-squares +NO · no figures/);
  });

  test("compare with an ideal JSON agent over the runs that called tools", () => {
    const table = idealTable([measured, failed], evalAgents);

    expect(table).toMatch(/code agent, one call a step +1 +2 +4 +0\.50 +1,000 +4,000 +0\.25/);
    expect(table).toMatch(/code agent, parallel calls +1 +2 +2 +1\.00 +1,000 +2,000 +0\.50/);
    expect(table).not.toContain("Left out");
    expect(idealTable([failed], evalAgents)).toBe("");
  });

  test("compare no run that was rejected with an ideal of its calls, and say so", () => {
    const rejected: Measurement = { ...measured, accepted: false, steps: 20, toolCalls: 1 };

    const table = idealTable([measured, rejected, rejected], evalAgents);

    expect(table).toMatch(/code agent, one call a step +1 +2 +4 +0\.50 +1,000 +4,000 +0\.25/);
    const note = "Only accepted runs are compared with an ideal JSON agent. Left out, with calls of tools: ";
    expect(table).toContain(`\n\n${note}2.`);
    expect(idealTable([rejected], evalAgents)).toBe(`${note}1.`);
  });

  test("list what went wrong", () => {
    expect(problemList([measured, failed])).toBe("odd-squares, code:\n  answer: it is 1 and not 2");
  });
});

describe("the options", () => {
  const env = { VITRINE_EVAL_KEY: "sk-a", OTHER: "sk-b" };

  test("without a key and an address ask for the transcripts", () => {
    expect(parseOptions([], {})).toMatchObject({
      model: null,
      repeat: 1,
      limit: 300_000,
      tasks: evalTasks,
      agents: evalAgents,
    });
  });

  test("name a model, and the variable of its key", () => {
    expect(parseOptions(["--model", "m"], env).model).toEqual({
      baseURL: "https://api.openai.com/v1",
      apiKey: "sk-a",
      model: "m",
    });
    const other = ["--model", "m", "--base-url", "http://localhost:1234/v1", "--key-from-env", "OTHER"];
    expect(parseOptions(other, env).model).toEqual({ baseURL: "http://localhost:1234/v1", apiKey: "sk-b", model: "m" });
    const settings = { VITRINE_EVAL_BASE_URL: "http://localhost:11434/v1", VITRINE_EVAL_MODEL: "llama" };
    expect(parseOptions([], settings).model).toEqual({
      baseURL: "http://localhost:11434/v1",
      apiKey: "",
      model: "llama",
    });
  });

  test("choose tasks and agents", () => {
    const options = parseOptions(["--task", "odd-squares", "--agent", "codegen,code"], {});
    expect([options.tasks, options.agents].map((list) => list.map(({ name }) => name))).toEqual([
      ["odd-squares"],
      ["codegen", "code"],
    ]);
  });

  test.each([
    [["--task", "none"], "There is no task none."],
    [["--agent", "none"], "There is no agent none."],
    [["--model", "m"], "--model wants a key"],
    [["--key-from-env", "UNSET", "--model", "m"], "UNSET is not set"],
    [["--base-url", "localhost", "--model", "m"], "not a complete address"],
    [["--base-url", "http://localhost/v1"], "--model is missing"],
    [["--repeat", "0"], "--repeat wants a whole number"],
    [["--what"], "--what"],
  ])("refuse %j", (args, reason) => {
    expect(() => parseOptions(args, {})).toThrow(reason);
  });
});
