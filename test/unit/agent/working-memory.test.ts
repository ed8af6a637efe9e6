import { expect, test } from "vitest";

import { CodeAgent, type AgentRunOptions, type CodeAgentOptions } from "../../../src/agent/index.js";
import type { Model } from "../../../src/model/index.js";
import type { MemoryReport } from "../../../src/protocol/index.js";
import { pythonError, scriptedSession, type ScriptedRun } from "./scripted-session.js";

const says: Model = {
  name: "says",
  kind: "recorded",
  async *complete() {
    yield { type: "text", text: await Promise.resolve("```python\nlook()\n```") };
    yield { type: "done", finishReason: "stop", usage: null };
  },
};

/** What the model is told after each of these runs. */
async function told(runs: readonly ScriptedRun[], options: Partial<CodeAgentOptions> = {}): Promise<string[]> {
  const agent = new CodeAgent({ session: scriptedSession(runs), model: says, maxSteps: runs.length, ...options });
  const { steps } = await agent.run("Look.").result;
  return steps.map(({ observation }) => observation ?? "");
}

const noted = (part: Partial<MemoryReport>): MemoryReport => ({
  values: [],
  observations: [],
  failedApproaches: [],
  variables: [],
  ...part,
});
const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** The interpreter's copy of the memory, which says what it was told, cut as the interpreter cuts it. */
const copyOf = ({ helpers: { failures } }: AgentRunOptions): MemoryReport =>
  noted({ failedApproaches: failures.map((each) => (each.length > 2000 ? `${each.slice(0, 2000)}...` : each)) });
const failsWith =
  (message: string): ScriptedRun =>
  (options) => ({ error: pythonError({ message }), memory: copyOf(options) });
const prints: ScriptedRun = (options) => ({ stdout: "2", memory: copyOf(options) });

test("a failure with a long message is told once in later steps, cut (T72)", async () => {
  const observations = await told([failsWith("x".repeat(100_000)), prints]);

  expect(observations[1]).toBe(
    "Observation:\n2\n\n## Working Memory\n\n### Failed Approaches (avoid these)\n" +
      `- Step 1: ValueError: ${"x".repeat(288)}...`,
  );
});

test("of a message only the first line is told, and it is cut between characters (T72)", async () => {
  const observations = await told([failsWith("first\nsecond"), failsWith("😀".repeat(400)), prints]);

  expect(observations[2]).toContain("- Step 1: ValueError: first\n");
  expect(observations[2]).toContain(`- Step 2: ValueError: ${"😀".repeat(288)}...`);
});

test("what fails again in the same way is one approach, told with all its steps (T72)", async () => {
  const seen: (readonly string[])[] = [];
  const looks: ScriptedRun = (options, code) => {
    seen.push(options.helpers.failures);
    return prints(options, code);
  };
  const observations = await told([failsWith("no"), failsWith("other"), failsWith("no"), failsWith("no"), looks]);

  expect(observations[4]).toMatch(
    /### Failed Approaches \(avoid these\)\n- Steps 1, 3, 4: ValueError: no\n- Step 2: ValueError: other$/,
  );
  expect(seen).toEqual([["Step 1: ValueError: no", "Step 2: ValueError: other"]]);
});

test("what the code noted as failed stands beside what the agent has seen fail (T72)", async () => {
  const notes: ScriptedRun = ({ helpers: { failures } }) => ({
    memory: noted({ failedApproaches: [...failures, "guessing"] }),
  });
  const observations = await told([failsWith("no"), notes]);

  expect(observations[1]).toMatch(/\(avoid these\)\n- Step 1: ValueError: no\n- guessing$/);
});

test("what the code noted as failed is handed to the interpreter that follows a lost one (T54, T72)", async () => {
  const handed: (readonly string[] | undefined)[] = [];
  const looks: ScriptedRun = ({ helpers: { failures, failedApproaches = [] } }) => {
    handed.push(failedApproaches);
    return { memory: noted({ failedApproaches: [...failedApproaches, ...failures] }) };
  };
  const observations = await told([
    () => ({ memory: noted({ failedApproaches: ["guessing"] }) }),
    () => ({ lost: true, error: pythonError({ code: "RUN_TIMEOUT" }) }),
    looks,
    looks,
  ]);

  expect(handed[0]).toEqual(["guessing"]);
  expect(observations[3]).toContain("- guessing\n- Step 2: Timeout");
});

test("of many failures the latest 20 are told, and where the others are (T72)", async () => {
  const fails = Array.from({ length: 25 }, (_, index) => failsWith(`no ${String(index + 1)}.`));
  const last = (await told([...fails, prints])).at(-1);

  expect(last?.match(/^- Step \d+: /gm)).toHaveLength(20);
  expect(last).toContain(
    "(avoid these)\n- … the earlier ones are in memory.failed_approaches\n- Step 6: ValueError: no 6.\n",
  );
  expect(last).toMatch(/- Step 25: ValueError: no 25\.$/);
});

test("a memory that is long is cut as a whole: the latest is told, and where the rest is", async () => {
  const memory = noted({
    values: Array.from({ length: 100 }, (_, index) => ({ name: `v${String(index)}`, shown: "é".repeat(100) })),
    observations: Array.from({ length: 100 }, (_, index) => `${String(index)}: ${"o".repeat(1900)}`),
    failedApproaches: ["guessing"],
  });
  const [whole = ""] = await told([() => ({ memory })]);
  const [short = ""] = await told([() => ({ memory })], { limits: { outputBytes: 3000 } });

  expect(bytesOf(whole)).toBeLessThan(10_500);
  expect(bytesOf(short)).toBeLessThan(3500);
  for (const text of [whole, short]) {
    expect(text).toContain("### Stored Values\n- … the earlier ones are in memory.variables\n");
    expect(text).toContain(`\n- v99: ${"é".repeat(100)}\n\n### Observations\n`);
    expect(text).toContain("### Observations\n- … the earlier ones are in memory.observations\n");
    expect(text).toMatch(/\n- 99: o+\n/);
    // What is short leaves its room to what is long.
    expect(text).toMatch(/### Failed Approaches \(avoid these\)\n- guessing$/);
  }
  expect(whole.match(/\n- \d+: o/g)?.length).toBeGreaterThan(1);
});

test("of a memory whose latest note is longer than all that may be told, its beginning is", async () => {
  const memory = noted({ observations: ["a", "b".repeat(2000)] });

  expect(await told([() => ({ memory })], { limits: { outputBytes: 100 } })).toEqual([
    "Observation:\n(no output)\n\n## Working Memory\n\n### Observations\n" +
      `- … the earlier ones are in memory.observations\n- ${"b".repeat(98)}\n[OUTPUT TRUNCATED]`,
  ]);
});

test("a memory that fits is told whole", async () => {
  const memory = noted({ values: [{ name: "r", shown: "42" }], observations: ["x".repeat(2000), "y".repeat(2000)] });

  expect(await told([() => ({ memory })])).toEqual([
    "Observation:\n(no output)\n\n## Working Memory\n\n### Stored Values\n- r: 42\n\n" +
      `### Observations\n- ${"x".repeat(2000)}\n- ${"y".repeat(2000)}`,
  ]);
});
