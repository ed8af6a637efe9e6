import { afterEach, describe, expect, inject, test } from "vitest";
import { z } from "zod";

import {
  CodeAgent,
  ReactAgent,
  rerunTask,
  TaskStore,
  type AgentEvent,
  type AgentRun,
} from "../../../src/agent/index.js";
import { openaiModel, type Model } from "../../../src/model/index.js";
import { Session } from "../../../src/session/index.js";
import { indexedDBStorage, type StorageBackend } from "../../../src/storage/index.js";
import { functionTool, type ToolAdapter } from "../../../src/tools/index.js";
import { dictatedScenario, type DictatedReply } from "../../servers/dictated-replies.js";

const F = "```";
const block = (...lines: string[]): string => [`${F}python`, ...lines, F].join("\n");

function dictated(...replies: readonly DictatedReply[]): Model {
  const baseURL = `${inject("modelServer")}/${dictatedScenario(replies)}/v1`;
  return openaiModel({ baseURL, apiKey: "sk-test-0123456789", model: "dictated" });
}

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let databases = 0;
function openStorage(): StorageBackend {
  databases += 1;
  const storage = indexedDBStorage(`saved-tasks-${String(databases)}-${String(Date.now())}`);
  closing.push(() => {
    storage.close();
  });
  return storage;
}

async function openSession(storage: StorageBackend, tools: readonly ToolAdapter[] = []): Promise<Session> {
  const session = await Session.open({ storage, tools: [...tools] });
  closing.push(() => session.close());
  return session;
}

/** What a disk would hold if the page went away now. */
async function copy(storage: StorageBackend): Promise<StorageBackend> {
  const records = new Map<string, Uint8Array>();
  for await (const key of storage.keys("")) {
    const record = await storage.get(key);
    if (record !== undefined) records.set(key, record);
  }
  const other = openStorage();
  await other.write(records);
  return other;
}

async function until(run: AgentRun, accepts: (event: AgentEvent) => boolean): Promise<void> {
  for await (const event of run) if (accepts(event)) return;
}

describe("a task whose page went away", () => {
  test("is taken up by the next one: no step is run twice, and calls are told by the journal", async () => {
    const sent: string[] = [];
    const send = functionTool({
      name: "send",
      description: "Sends a letter.",
      input: z.object({ to: z.string() }),
      run: ({ to }) => {
        sent.push(to);
        return `sent to ${to}`;
      },
    });
    const wait = functionTool({
      name: "wait",
      description: "Takes its time.",
      input: z.object({}),
      run: (_, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            reject(new Error("stopped"));
          });
        }),
    });
    const storage = openStorage();
    const session = await openSession(storage, [send, wait]);
    const stop = new AbortController();
    const model = dictated(
      block("import math", "total = 40 + 2", 'observe("the total is 42")', 'store("kept", 1)'),
      block('tools.send(to="Ada")', 'print("sent")', "tools.wait()"),
      "never asked",
    );
    const run = new CodeAgent({ session, model, tasks: new TaskStore(storage) }).run("Write to Ada.", {
      signal: stop.signal,
    });
    await until(run, (event) => event.type === "call" && event.entry.name === "wait");
    // The journal's entry is written before the tool begins, the event some 30 ms after it.
    await expect.poll(async () => (await new TaskStore(storage).load(run.taskId)).events.at(-1)?.type).toBe("call");

    const disk = await copy(storage);
    const tasks = new TaskStore(disk);
    const left = await tasks.load(run.taskId);
    expect(left).toMatchObject({
      state: "interrupted",
      steps: [{ number: 1 }, { number: 2, run: null }],
      problems: [],
    });

    const next = await openSession(disk, [send, wait]);
    const agent = new CodeAgent({
      session: next,
      model: dictated("", "", block("final_answer(recall('kept'))")),
      tasks,
    });
    const elsewhere = await agent.takeUp(left).result;
    expect(elsewhere).toMatchObject({ state: "error", error: { code: "TASK_NOT_RESUMABLE" } });
    expect((await tasks.load(run.taskId)).events).toHaveLength(left.events.length);
    stop.abort();
    await run.result;

    const resumed = agent.takeUp(await tasks.load(run.taskId));
    const result = await resumed.result;
    expect(result).toMatchObject({ state: "completed", output: "None" });
    expect(sent).toEqual(["Ada"]);
    expect(resumed.events.find(({ type }) => type === "task-resumed")).toMatchObject({
      gone: ["math", "total"],
      interrupted: { step: 2, finished: [{ name: "send" }], unknown: [{ name: "wait", outcome: { kind: "unknown" } }] },
    });
    const [, second] = result.steps;
    expect(second?.observation).toMatch(
      /^The task was interrupted before it could be told what came of this\. It is not done again/,
    );
    expect(second?.observation).toContain('Calls that finished:\n- tools.send("to":"Ada") -> "sent to Ada"');
    expect(second?.observation).toContain(
      "They may have taken effect: look before you make them again.\n- tools.wait()",
    );
    expect(second?.observation).toContain("These names are gone: math, total.");
    expect(second?.observation).toContain("It had printed:\nsent");
    expect(result.steps.at(-1)?.run?.memory?.observations).toEqual(["the total is 42"]);

    await expect(tasks.load(run.taskId)).resolves.toMatchObject({ state: "completed" });
  });

  test("finds its names where the interpreter is the same: nothing is gone", async () => {
    const storage = openStorage();
    const session = await openSession(storage);
    const tasks = new TaskStore(storage);
    const stop = new AbortController();
    const first = new CodeAgent({ session, model: dictated(block("total = 42"), block("while True: pass")), tasks });
    const run = first.run("Count.", { signal: stop.signal });
    await until(run, ({ type, step }) => type === "code" && step === 2);
    stop.abort();
    await run.result;

    const agent = new CodeAgent({ session, model: dictated("", "", block("final_answer(total)")), tasks });
    const resumed = agent.takeUp(await tasks.load(run.taskId));
    await expect(resumed.result).resolves.toMatchObject({ state: "completed", output: "42" });
    expect(resumed.events.find(({ type }) => type === "task-resumed")).toMatchObject({ gone: [], interrupted: null });
  });
});

describe("a task of the JSON agent whose page went away", () => {
  test("is told by the journal which of its calls finished, and which may have", async () => {
    const sent: string[] = [];
    const send = functionTool({
      name: "send",
      description: "Sends a letter.",
      input: z.object({ to: z.string() }),
      run: ({ to }, { signal }) => {
        sent.push(to);
        if (to === "Ada") return "sent";
        return new Promise<string>((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            reject(new Error("stopped"));
          });
        });
      },
    });
    const storage = openStorage();
    const session = await openSession(storage, [send]);
    const stop = new AbortController();
    const call = (to: string) => ({ id: to, name: "send", arguments: JSON.stringify({ to }) });
    const model = dictated({ calls: [call("Ada")] }, { calls: [call("Ada"), call("Grace")] });
    const tasks = new TaskStore(storage);
    const run = new ReactAgent({ session, model, tasks, toolCallingMode: "native" }).run("Write.", {
      signal: stop.signal,
    });
    await expect.poll(() => sent).toEqual(["Ada", "Ada", "Grace"]);
    // The journal's entry is written before the tool is called; the event may be written later.
    const disk = await copy(storage);
    stop.abort();
    await run.result;

    const saved = new TaskStore(disk);
    const next = await openSession(disk, [send]);
    const agent = new ReactAgent({
      session: next,
      model: dictated("", "", "Both letters are written."),
      tasks: saved,
      toolCallingMode: "native",
    });
    const resumed = agent.takeUp(await saved.load(run.taskId));
    await expect(resumed.result).resolves.toMatchObject({ state: "completed", output: "Both letters are written." });
    expect(sent).toEqual(["Ada", "Ada", "Grace"]);
    expect(resumed.events.find(({ type }) => type === "task-resumed")).toMatchObject({
      gone: [],
      interrupted: {
        step: 2,
        finished: [{ arguments: { to: "Ada" } }],
        unknown: [{ arguments: { to: "Grace" }, outcome: { kind: "unknown" } }],
      },
    });
  });
});

describe("a saved task", () => {
  test("comes back from IndexedDB as it was, with values, pictures and errors", async () => {
    const storage = openStorage();
    const session = await openSession(storage);
    const tasks = new TaskStore(storage);
    const model = dictated(
      block("from datetime import date", "1 / 0"),
      block(
        "class Picture:",
        "    def _repr_png_(self): return b'\\x89PNG'",
        "display(Picture())",
        "[2**70, {1, 2}, (3,)]",
      ),
      block('explore("nearly done")', 'final_answer({"day": date(2026, 11, 22), "b": b"12"}, verified_by="looked")'),
    );
    const run = new CodeAgent({ session, model, tasks }).run("Look.");
    const result = await run.result;
    expect(result.state).toBe("completed");

    const saved = await tasks.load(run.taskId);
    expect(saved.result?.answer).toEqual(result.answer);
    expect(saved.steps).toEqual(result.steps);
    expect(saved.result?.signals).toEqual(result.signals);
    expect(saved.conversation).toEqual(run.conversation);
    expect(saved.usage).toEqual(result.usage);
  });

  test("is run again with real code, real tools and real storage", async () => {
    const storage = openStorage();
    const session = await openSession(storage);
    const tasks = new TaskStore(storage);
    await session.workspace.write("n.txt", new TextEncoder().encode("20"));
    const model = dictated(
      block('n = int(open("/workspace/n.txt").read())', "print(n)"),
      block('artifacts.save("double", n * 2)', "final_answer(n * 2)"),
    );
    const run = new CodeAgent({ session, model, tasks }).run("Double it.");
    await run.result;
    const saved = await tasks.load(run.taskId);

    const other = await openSession(openStorage());
    await other.workspace.write("n.txt", new TextEncoder().encode("20"));
    const again = rerunTask(saved, ({ model: words }) => new CodeAgent({ session: other, model: words }));
    await expect(again.result).resolves.toMatchObject({ state: "completed", output: "40" });
    await expect(other.artifacts.load("double")).resolves.toBe(40);

    await other.workspace.write("n.txt", new TextEncoder().encode("21"));
    const differs = rerunTask(saved, ({ model: words }) => new CodeAgent({ session: other, model: words }));
    await expect(differs.result).resolves.toMatchObject({ state: "error", error: { code: "RECORDING_MISMATCH" } });
  });
});
