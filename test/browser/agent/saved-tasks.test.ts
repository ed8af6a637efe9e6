import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";

import {
  CodeAgent,
  ReactAgent,
  rerunTask,
  TaskStore,
  type AgentEvent,
  type AgentRun,
  type CodeAgentOptions,
} from "../../../src/agent/index.js";
import { Session, type SessionOptions } from "../../../src/session/index.js";
import { indexedDBStorage, type StorageBackend } from "../../../src/storage/index.js";
import { functionTool, type ToolAdapter } from "../../../src/tools/index.js";
import { dictated } from "../../agents/dictated-model.js";
import { block } from "../../agents/replies.js";

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

async function openSession(
  storage: StorageBackend,
  tools: readonly ToolAdapter[] = [],
  options: Partial<SessionOptions> = {},
): Promise<Session> {
  const session = await Session.open({ storage, tools: [...tools], ...options });
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
    const waits = (event: AgentEvent) => event.type === "call" && event.entry.name === "wait";
    await expect.poll(async () => (await new TaskStore(storage).load(run.taskId)).events.some(waits)).toBe(true);

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
    expect(resumed.events.find(({ type }) => type === "task-resumed")).toMatchObject({
      gone: [],
      interrupted: { step: 2, finished: [], unknown: [] },
    });
  });
});

describe("a task that was stopped in its code", () => {
  async function stoppedAfterPaying(budget: CodeAgentOptions["budget"] = {}) {
    let payments = 0;
    const pay = functionTool({
      name: "pay",
      description: "Pays.",
      input: z.object({}),
      run: () => {
        payments += 1;
        return "paid 5";
      },
    });
    const storage = openStorage();
    const session = await openSession(storage, [pay]);
    // The time of the task is for its code, and not for the interpreter's start.
    await session.run("");
    const tasks = new TaskStore(storage);
    const stop = new AbortController();
    const model = dictated(block("tools.pay()", 'print("paid")', "while True: pass"));
    const run = new CodeAgent({ session, model, tasks, budget }).run("Pay.", { signal: stop.signal });
    await until(run, (event) => event.type === "output" && event.chunk.kind === "stdout");
    return { run, session, tasks, stop, payments: () => payments };
  }

  /** What the model was told in the step before the last. */
  const told = (run: AgentRun): string | null | undefined =>
    run.events.findLast((event) => event.type === "task-ended")?.result.steps.at(-2)?.observation;

  test("goes on with what its calls came to, and does not make them again", async () => {
    const { run, session, tasks, stop, payments } = await stoppedAfterPaying();
    stop.abort();
    await expect(run.result).resolves.toMatchObject({ state: "cancelled" });

    const agent = new CodeAgent({ session, model: dictated("", block("final_answer(1)")), tasks });
    const resumed = agent.takeUp(await tasks.load(run.taskId));
    await expect(resumed.result).resolves.toMatchObject({ state: "completed" });
    expect(payments()).toBe(1);
    expect(resumed.events.find(({ type }) => type === "task-resumed")).toMatchObject({
      interrupted: { step: 1, finished: [{ name: "pay", outcome: { kind: "ok" } }], unknown: [] },
    });
    expect(told(resumed)).toContain('Calls that finished:\n- tools.pay() -> "paid 5"');
    expect(told(resumed)).toContain("It had printed:\npaid");
  });

  test("knows that a call about which a person was asked was not made", async () => {
    const mail = functionTool({ name: "mail", description: "Mails.", input: z.object({}), run: () => "sent" });
    const stop = new AbortController();
    const storage = openStorage();
    const onApproval = (): Promise<never> => {
      stop.abort();
      return new Promise(() => undefined);
    };
    const session = await openSession(storage, [mail], { approvals: { "tools.mail": "ask" }, onApproval });
    const tasks = new TaskStore(storage);
    const first = new CodeAgent({ session, model: dictated(block("tools.mail()")), tasks });
    const { taskId } = await first.run("Mail.", { signal: stop.signal }).result;

    const agent = new CodeAgent({ session, model: dictated("", block("final_answer(1)")), tasks });
    const resumed = agent.takeUp(await tasks.load(taskId));

    await expect(resumed.result).resolves.toMatchObject({ state: "completed" });
    expect(resumed.events.find(({ type }) => type === "task-resumed")).toMatchObject({
      interrupted: { step: 1, finished: [{ name: "mail", outcome: { kind: "error" } }], unknown: [] },
    });
    expect(told(resumed)).toContain("It had not begun, so nothing happened.");
  });

  test("is known to the task that continues it, also where its time was over", async () => {
    const { run, session, tasks } = await stoppedAfterPaying({ time: 4_000 });
    await expect(run.result).resolves.toMatchObject({ state: "budget_reached", error: { kind: "time" } });

    const conversation = JSON.stringify(run.conversation);
    expect(conversation).toContain("Calls that finished:");
    const agent = new CodeAgent({ session, model: dictated("", block("final_answer(1)")), tasks });
    const next = agent.run("And now?", { after: run });
    await expect(next.result).resolves.toMatchObject({ state: "completed" });
    expect(next.events.find((event) => event.type === "task-started")?.before).toEqual(run.conversation);
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
