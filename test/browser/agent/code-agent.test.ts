import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { CodeAgent, type AgentEvent, type AgentRun } from "../../../src/agent/index.js";
import { recordedModel, recordTranscript, type Model, type Transcript } from "../../../src/model/index.js";
import { Session } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { dictated } from "../../agents/dictated-model.js";
import { block } from "../../agents/replies.js";

const rates = functionTool({
  name: "rates",
  description: "What one unit of a currency is worth in euro.",
  input: z.object({ currency: z.string() }),
  run: ({ currency }) => (currency === "USD" ? 0.5 : 1),
});

const mailed: string[] = [];
const mail = functionTool({
  name: "send_mail",
  description: "Sends a text to the office.",
  input: z.object({ text: z.string() }),
  run: ({ text }) => {
    mailed.push(text);
    return "sent";
  },
});

let session: Session;

beforeAll(async () => {
  session = await Session.open({
    storage: memoryStorage(),
    tools: [rates, mail],
    // Writing a skill is asked about in an agent's task.
    onApproval: () => Promise.resolve({ decision: "allow" }),
  });
});
afterAll(() => session.close());

const sales = (amount: number) => new TextEncoder().encode(`item,amount\nlamp,${String(amount)}\nchair,20\n`);
beforeEach(async () => {
  await session.workspace.write("sales.csv", sales(10));
});

function solve(model: Model, task = "How much did we sell, in euro?"): AgentRun {
  return new CodeAgent({ session, model }).run(task);
}

const ofType = <T extends AgentEvent["type"]>(run: AgentRun, type: T) =>
  run.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

const steps = [
  `I read the file.\n${block("import csv", "rows = list(csv.DictReader(open('/workspace/sales.csv')))", "print(len(rows))", "rows")}`,
  `I save a skill for the sum.\n${block(
    "source = '''def run(rows: list) -> float:",
    '    """Add up the amounts."""',
    "    return sum(float(row['amount']) for row in rows)",
    "'''",
    "skills.create(name='add_amounts', source=source, description='Add up the amounts.')",
    "total = skills.add_amounts(rows=rows)",
    "print(total)",
  )}`,
  `Now in euro.\n${block(
    "euro = total * tools.rates(currency='USD')",
    "artifacts.save('report.md', f'# Sales\\n{euro} euro\\n', description='What we sold.')",
    "final_answer(euro)",
  )}`,
];

describe("a task in a sealed session", () => {
  test("is solved in several steps with a file, a skill, a tool and an artifact", async () => {
    const run = solve(dictated(...steps));

    const result = await run.result;

    expect(result).toMatchObject({ state: "completed", error: null, answer: { value: 15 } });
    expect(result.steps[0]?.observation).toBe(
      "Observation:\n2\nValue: [{'item': 'lamp', 'amount': '10'}, {'item': 'chair', 'amount': '20'}]",
    );
    expect(await session.artifacts.load("report.md")).toContain("15.0 euro");
    expect((await session.skills.list()).skills.map(({ name }) => name)).toContain("add_amounts");
  });

  test("shows calls, output and artifacts as events, each below what caused it", async () => {
    const run = solve(dictated(...steps));
    await run.result;

    const calls = ofType(run, "call");
    const named = (name: string) => calls.filter(({ entry }) => `${entry.namespace}.${entry.name}` === name);
    expect(named("tools.rates").map(({ entry }) => entry.outcome.kind)).toEqual(["pending", "ok"]);
    expect(named("tools.rates").map(({ parentId }) => parentId)).toEqual(Array(2).fill(`${run.taskId}/3/code`));
    expect(ofType(run, "artifact").map(({ name }) => name)).toEqual(["report.md"]);
    expect(ofType(run, "output").map(({ chunk }) => chunk)).toContainEqual({
      kind: "stdout",
      text: expect.stringContaining("2"),
    });
    expect(ofType(run, "step-ended").map(({ run: ended }) => ended?.ok)).toEqual([true, true, true]);
  });

  test("goes on after an error, of which the model is told the line (T20, T24)", async () => {
    const fails = block("a = 1", "print('before')", "a / 0");

    const { steps: taken, state } = await solve(dictated(fails, block("final_answer(a)"))).result;

    expect(state).toBe("completed");
    expect(taken[0]?.observation).toMatch(/^Execution error: ZeroDivisionError: division by zero\n/);
    expect(taken[0]?.observation).toMatch(/File "<step 1>", line 3/);
    expect(taken[0]?.observation).toMatch(/a \/ 0/);
    expect(taken[0]?.observation).toMatch(/Output before the error:\nbefore$/);
  });

  test("a tool that is misspelled on line 2 keeps line 1 from being called; the model is told what to write, and its next code runs", async () => {
    const earlier = new Set((await session.journal.list()).map(({ id }) => id));
    const misspelled = block("tools.send_mail(text='first')", "usd = tools.rate(currency='USD')", "final_answer(usd)");
    const corrected = misspelled.replace("tools.rate(", "tools.rates(");

    const run = solve(dictated(misspelled, corrected));
    const result = await run.result;

    const entries = (await session.journal.list()).filter(({ id }) => !earlier.has(id));
    expect(result.steps[0]?.run).toMatchObject({ ok: false, calls: [], error: { code: "CHECK_FAILED" } });
    expect(result.steps[0]?.observation).toMatch(/File "<step 1>", line 2\n {4}usd = tools\.rate\(currency='USD'\)/);
    expect(result.steps[0]?.observation).toContain("none of the code was run");
    expect(result.steps[0]?.observation).toContain("tools.rates");
    expect(result).toMatchObject({ state: "completed", answer: { value: 0.5 } });
    expect(mailed).toEqual(["first"]);
    expect(ofType(run, "call").map(({ step }) => step)).not.toContain(1);
    expect(new Set(entries.map(({ runId }) => runId))).toEqual(new Set([result.steps[1]?.run?.runId]));
    expect(entries.filter(({ namespace }) => namespace === "tools").map(({ name }) => name)).toEqual([
      "send_mail",
      "rates",
    ]);
  });

  test("survives code that takes the name final_answer for itself (T46)", async () => {
    const result = await solve(dictated(block("final_answer = tools = 5"), block("final_answer(7)"))).result;

    expect(result).toMatchObject({ state: "completed", answer: { value: 7 } });
  });

  test("may end with None (T40)", async () => {
    expect(await solve(dictated(block("final_answer(None)"))).result).toMatchObject({
      state: "completed",
      answer: { value: null, text: "None" },
    });
  });

  test("leaves final_answer to agents: a run of the console has no such name", async () => {
    await solve(dictated(block("final_answer(1)"))).result;

    const { error } = await session.run("final_answer(2)");

    expect(error?.pythonType).toBe("NameError");
  });

  test("can be stopped while its code runs, and the session is usable afterwards", async () => {
    const stop = new AbortController();
    const run = new CodeAgent({
      session,
      model: dictated(block("kept = 41", "print('on', end='')", "while True: pass")),
    }).run("Loop.", {
      signal: stop.signal,
    });
    for await (const event of run) if (event.type === "output") stop.abort();

    expect(await run.result).toMatchObject({ state: "cancelled", answer: null, steps: [{ run: { stdout: "on" } }] });
    expect((await session.run("1 + 1")).value).toBe(2);
  });

  test("ends in an error when the model does, with the steps before it kept", async () => {
    const result = await solve(dictated(block("print('done')"))).result;

    expect(result).toMatchObject({
      state: "error",
      error: { code: "MODEL_SERVER" },
      steps: [{ observation: "Observation:\ndone" }, { reply: "" }],
    });
  });
});

describe("a recorded task", () => {
  const task = "How much did we sell, in euro?";
  let transcript: Transcript;

  beforeAll(async () => {
    await session.workspace.write("sales.csv", sales(10));
    const recorder = recordTranscript(dictated(...steps));
    const { answer } = await solve(recorder, task).result;
    const recorded = recorder.transcript(answer === null ? {} : { answer: answer.text });
    if (recorded === undefined) throw new Error("Nothing was recorded.");
    transcript = recorded;
  });

  const replay = (): Model => recordedModel({ transcripts: [transcript], pace: 0 });

  test("replays against the real session, and the answer is computed anew", async () => {
    await session.artifacts.delete("report.md");

    const result = await solve(replay(), task).result;

    expect(result).toMatchObject({ state: "completed", answer: { value: 15 } });
    expect(transcript.answer).toBe(result.answer?.text);
    expect(await session.artifacts.load("report.md")).toContain("15.0 euro");
  });

  test("says that it no longer fits when the data has changed, and shows what was expected and what happened", async () => {
    await session.workspace.write("sales.csv", sales(11));

    const result = await solve(replay(), task).result;

    expect(result).toMatchObject({ state: "error", answer: null, error: { code: "RECORDING_MISMATCH", step: 1 } });
    expect(result.error).toMatchObject({
      expected: expect.stringContaining("'amount': '10'"),
      actual: expect.stringContaining("'amount': '11'"),
    });
  });

  test("whose replies never looked at the data answers with the new data", async () => {
    const blind: Transcript = {
      format: "vitrine-transcript",
      version: 1,
      task: "Count.",
      by: "hand",
      steps: [
        {
          reply: block(
            "import csv",
            "final_answer(sum(int(r['amount']) for r in csv.DictReader(open('/workspace/sales.csv'))))",
          ),
        },
      ],
      answer: "30",
    };
    await session.workspace.write("sales.csv", sales(11));

    const result = await solve(recordedModel({ transcripts: [blind], pace: 0 }), "Count.").result;

    expect(result.answer).toMatchObject({ value: 31, text: "31" });
  });
});
