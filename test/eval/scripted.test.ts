import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { buildPages } from "../../bench/build-pages.js";
import { agentNamed } from "../../eval/agents/index.js";
import { evaluate, readTranscript, type Measurement } from "../../eval/evaluate.js";
import { applyChanges, type FileChange } from "../../eval/projects/read-diff.js";
import { evalTasks, taskNamed } from "../../eval/tasks/index.js";
import { BY_HAND } from "../../eval/transcript.js";
import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { LONG_TEST, RUN } from "../timeouts.mjs";

// Real pages, sessions, Python, tools and HTTP; only the replies are written down. `npm run eval` runs all of them; here,
// where each takes a second or two, it is the longer tasks, all agents for the longest, and code agent and JSON agent for projects
// and batches.
const projects = evalTasks.filter(({ project }) => project !== undefined);
const batches = evalTasks.filter(({ batch }) => batch !== undefined);
const onFiles = [...projects, ...batches];
const longer = evalTasks.filter((task) => task.level >= 3 && !onFiles.includes(task));
const longest = longer.filter(({ level }) => level === 5);
const pairs = [
  ...longer.map(({ name }) => ({ task: name, agent: "code" })),
  ...longest.flatMap(({ name }) => ["react", "codegen"].map((agent) => ({ task: name, agent }))),
  ...onFiles.flatMap(({ name }) => ["code", "react"].map((agent) => ({ task: name, agent }))),
];
const done: Measurement[] = [];
let page: string;

beforeAll(async () => {
  page = await buildPages("eval");
  const common = { page, model: null, repeat: 1, limit: RUN };
  const run = async (tasks: typeof longest, ...names: string[]): Promise<void> => {
    done.push(...(await evaluate({ ...common, tasks, agents: names.map(agentNamed) })));
  };
  await run(longer, "code");
  await run(longest, "react", "codegen");
  await run(onFiles, "code", "react");
}, LONG_TEST);

test.each(pairs)("the work of $agent on $task is accepted", ({ task, agent }) => {
  const work = done.find((each) => each.task === task && each.agent === agent);
  expect(work).toMatchObject({ accepted: true, problems: [], failure: null, source: "scripted" });
  const { replies, written } = readTranscript(task) ?? {};
  const ofWriters = Object.values(written ?? {}).flatMap((roles) => Object.values(roles).flat());
  expect(work?.requests).toBe((replies?.[agent]?.length ?? 0) + ofWriters.length);
});

describe("behind a server that is not ours", () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  async function dictated(task: string, agent: string, ...replies: string[]): Promise<Measurement | undefined> {
    const baseURL = `${server.origin}/${dictatedScenario(replies)}/v1`;
    const model = { baseURL, apiKey: "", model: "dictated" };
    const tasks = [taskNamed(task)];
    return (await evaluate({ page, tasks, agents: [agentNamed(agent)], model, repeat: 1, limit: RUN }))[0];
  }

  test("a JSON agent that answers in JSON is judged by the data of its answer", async () => {
    const { answer } = taskNamed("business-days").correct;

    const right = await dictated("business-days", "react", JSON.stringify({ answer }));

    expect(right).toMatchObject({ accepted: true, problems: [], failure: null, source: "model" });
  });

  test.each([
    ["saves", 'artifacts.save("notes.txt", "x")', "notes.txt"],
    [
      "hands in",
      'await set_progress(artifact={"name": "extra", "type": "inline", "format": "text", "value": "x", "description": "More"})',
      "extra",
    ],
  ])(
    "a program that %s what nobody asked for is rejected for it",
    async (_how, more, name) => {
      const { answer } = taskNamed("business-days").correct;
      const lines = [
        `await set_progress(artifact={"name": "answer", "type": "inline", "format": "json", "value": ${JSON.stringify(answer)}, "description": "The answer"})`,
        "await done()",
      ];

      const right = await dictated("business-days", "codegen", ["```python", ...lines, "```"].join("\n"));
      const program = ["```python", more, ...lines, "```"].join("\n");
      const run = await dictated("business-days", "codegen", program, program);

      expect(right).toMatchObject({ accepted: true, problems: [] });
      expect(run).toMatchObject({ accepted: false, problems: [`${name}: nobody asked for it`], failure: null });
    },
    60_000,
  );

  test("a wrong solution of a project is rejected by the part of the checker that sees it", async () => {
    const [task] = projects;
    const [wrong] = task?.project?.wrong ?? [];
    if (task === undefined || wrong === undefined) throw new TypeError("There is no wrong solution.");
    const program = [`tools.apply_patch(input=r'''${patchOf(wrong.changes)}''')`, "final_answer('It is mended.')"];

    const run = await dictated(task.name, "code", pythonReply(...program));

    expect(run).toMatchObject({ accepted: false, failure: null, steps: 1 });
    expect([...new Set(run?.problems.map((problem) => problem.split(":")[0]))]).toEqual(wrong.rejectedBy);
  });

  test("files of a batch that were not written by the tool are rejected for that alone", async () => {
    const { batch } = taskNamed("prices");
    const text = JSON.stringify(batch?.right.get("prices.py"));
    const program = [`_ = open("/workspace/prices.py", "w").write(${text})`, "final_answer(['prices.py'])"];

    const run = await dictated("prices", "code", pythonReply(...program));

    expect(run?.problems).toEqual([
      "the tool: prices.py is not as write_codebase_tool wrote it",
      "undo: the files are not as they were",
    ]);
  });

  test.each(["ledger", "prices"])("%s, a project or a batch, is not given to codegen", async (task) => {
    expect(await dictated(task, "codegen", "A reply.")).toBeUndefined();
  });

  test("a mistake and repeated reading are no steps of the ideal agent", async () => {
    const reads = [
      "```python",
      "try:",
      "    tools.phone_of(place=7)",
      "except ToolCallError as error:",
      "    print(error.code)",
      "for _ in range(3):",
      "    number = tools.phone_of(place='Kiel hub')",
      "final_answer(number)",
      "```",
    ].join("\n");

    const run = await dictated("late-parcel", "code", reads);

    expect(run).toMatchObject({ toolCalls: 4, ideal: { single: { steps: 2 }, parallel: { steps: 2 } } });
    expect(run?.calls.map(({ reached, isReadOnly }) => [reached, isReadOnly])).toEqual([
      [false, false],
      [true, true],
      [true, true],
      [true, true],
    ]);
  });
});

test("a wrong file of a batch is rejected by the part of the checker that sees it", async () => {
  const task = taskNamed("prices");
  const [wrong] = task.batch?.wrong ?? [];
  if (task.batch === undefined || wrong === undefined) throw new TypeError("There is no wrong file.");
  const solution = new Map([...task.batch.files, ...task.batch.right]);
  const text = applyChanges(solution, wrong.changes).get("prices.py") ?? "";
  const call = 'tools.write_codebase_tool(command="write_codebase", files=[file])';
  const replies = [
    pythonReply("file = {'filename': 'prices.py', 'code_description': 'Other shipping.'}", `print(${call}["error"])`),
    pythonReply("final_answer(['prices.py'])"),
  ];
  const written = { "prices.py": { "writer-1": [`\`\`\`python\n${text}\`\`\``], "writer-2": ["I cannot do that."] } };
  const transcriptOf = () => ({ by: BY_HAND, replies: { code: replies }, written });

  const common = { page, model: null, repeat: 1, limit: RUN };
  const [run] = await evaluate({ ...common, tasks: [task], agents: [agentNamed("code")], transcriptOf });

  expect(run).toMatchObject({ accepted: false, failure: null, steps: 2, requests: 4 });
  expect([...new Set(run?.problems.map((problem) => problem.split(":")[0]))]).toEqual(wrong.rejectedBy);
});

function pythonReply(...lines: readonly string[]): string {
  return ["```python", ...lines, "```"].join("\n");
}

/** A patch that makes these changes, of lines alone. */
function patchOf(changes: readonly FileChange[]): string {
  const lines = changes.flatMap(({ path, hunks }) => [
    `*** Update File: ${path}`,
    ...hunks.flatMap(({ before, after }) => [
      "@@",
      ...before.map((line) => `-${line}`),
      ...after.map((line) => `+${line}`),
    ]),
  ]);
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

test("every task has a transcript that a person wrote, for the agents that have to do it at the least", () => {
  for (const { name, project, batch } of evalTasks) {
    const transcript = readTranscript(name);
    expect(transcript?.by, name).toBe(BY_HAND);
    const agents = project === undefined && batch === undefined ? ["code", "codegen"] : ["code", "react"];
    expect(Object.keys(transcript?.replies ?? {}), name).toEqual(expect.arrayContaining(agents));
  }
});

test("runs that called tools, but for a project or a batch, are compared with an ideal JSON agent, whose calls are those of the journal", () => {
  const compared = done.filter(({ ideal }) => ideal !== null);
  const calling = done.filter(
    ({ agent, toolCalls, isProject, isBatch }) => agent === "code" && toolCalls > 0 && !isProject && !isBatch,
  );

  expect(compared).toEqual(calling);
  expect(compared.length).toBeGreaterThanOrEqual(8);
  for (const { ideal, toolCalls, tokens } of compared) {
    expect(ideal?.single.steps).toBeGreaterThan(toolCalls);
    expect(ideal?.parallel.steps).toBeLessThanOrEqual(ideal?.single.steps ?? 0);
    expect(tokens.input).toBeGreaterThan(tokens.output);
  }
  // Fourteen cities that the task names need one round, and the artifact another.
  expect(compared.find(({ task }) => task === "weather-fan-out")?.ideal?.single.steps).toBe(16);
});

test.each([
  ["weather-fan-out", "the weather of all cities | the artifact | the answer", 3],
  ["settle-trip", "all rates, since the files are known | both artifacts | the answer", 3],
  ["invoice-run", "clients, first page, a busy rate | other pages and rates | invoices and artifacts | the answer", 4],
  ["restock", "sites and products | stock and offers | orders, their list | their confirmations | the answer", 5],
])("the fewest steps for %s are: %s", (task, _rounds, steps) => {
  expect(done.find((each) => each.task === task && each.ideal !== null)?.ideal?.parallel.steps).toBe(steps);
});

test("no JSON agent of the transcripts takes fewer steps than the ideal one", () => {
  const compared = done.flatMap(({ task, ideal }) => {
    const replies = readTranscript(task)?.replies.react;
    return ideal === null || replies === undefined
      ? []
      : [{ task, ideal: ideal.parallel.steps, taken: replies.length }];
  });
  expect(compared.length).toBeGreaterThanOrEqual(8);
  expect(compared.filter(({ ideal, taken }) => taken < ideal)).toEqual([]);
});
