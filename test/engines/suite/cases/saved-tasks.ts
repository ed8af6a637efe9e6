import { z } from "zod";

import {
  CodeAgent,
  functionTool,
  indexedDBStorage,
  rerunTask,
  TaskStore,
  type AgentEvent,
  type AgentRun,
  type StorageBackend,
  type ToolAdapter,
} from "../../../../src/index.js";
import { block } from "../../../agents/replies.js";
import { withDatabase } from "../database.js";
import { dictated } from "../dictated.js";
import { differ, type PageCase } from "../engine-case.js";

/** A tool that notes whom it was told to write to, and one that does not answer. */
function postOffice(sent: string[]): readonly ToolAdapter[] {
  return [
    functionTool({
      name: "send",
      description: "Sends a letter.",
      input: z.object({ to: z.string() }),
      run: ({ to }) => {
        sent.push(to);
        return `sent to ${to}`;
      },
    }),
    functionTool({
      name: "wait",
      description: "Takes its time.",
      input: z.object({}),
      run: (_, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            reject(new Error("stopped"));
          });
        }),
    }),
  ];
}

const waits = (event: AgentEvent): boolean => event.type === "call" && event.entry.name === "wait";

/** What a disk would hold if the page went away now, once the store has this of the task. */
async function copyOf(
  storage: StorageBackend,
  { to, taskId, has }: { to: StorageBackend; taskId: string; has: (event: AgentEvent) => boolean },
): Promise<void> {
  const tasks = new TaskStore(storage);
  while (!(await tasks.load(taskId)).events.some(has)) await new Promise((resolve) => setTimeout(resolve, 20));
  const records = new Map<string, Uint8Array>();
  for await (const key of storage.keys("")) {
    const record = await storage.get(key);
    if (record !== undefined) records.set(key, record);
  }
  await to.write(records);
}

async function until(run: AgentRun, accepts: (event: AgentEvent) => boolean): Promise<void> {
  for await (const event of run) if (accepts(event)) return;
}

/** Tasks of agents as IndexedDB keeps them. */
export const savedTaskCases: readonly PageCase[] = [
  {
    id: "saved-1",
    title:
      "a task whose page went away is taken up by the next: no step is run twice, the journal tells what was called",
    needs: ["sync_calls"],
    inChromium: "agent/saved-tasks.test.ts",
    run: (open) =>
      withDatabase((left) =>
        withDatabase(async (found) => {
          const sent: string[] = [];
          const storage = indexedDBStorage(left);
          const session = await open({ storage, tools: postOffice(sent) });
          const stop = new AbortController();
          const writes = block('tools.send(to="Ada")', 'print("sent")', "tools.wait()");
          const model = dictated(block("total = 40 + 2", 'store("kept", 1)'), writes);
          const tasks = new TaskStore(storage);
          const run = new CodeAgent({ session, model, tasks }).run("Write to Ada.", { signal: stop.signal });
          await until(run, waits);
          const disk = indexedDBStorage(found);
          await copyOf(storage, { to: disk, taskId: run.taskId, has: waits });
          stop.abort();
          await run.result;
          await session.close();
          storage.close();

          const next = await open({ storage: disk, tools: postOffice(sent) });
          try {
            const saved = new TaskStore(disk);
            const interrupted = await saved.load(run.taskId);
            const answers = dictated("", "", block("final_answer([recall('kept'), 'total' in dir()])"));
            const resumed = new CodeAgent({ session: next, model: answers, tasks: saved }).takeUp(interrupted);
            const { state, answer, steps } = await resumed.result;
            const told = resumed.events.find((event) => event.type === "task-resumed");
            const observation = steps[1]?.observation ?? "";
            const kept = await saved.load(run.taskId);
            return [
              ...differ("what was left", [interrupted.state, interrupted.steps.length], ["interrupted", 2]),
              ...differ("how it ended", [state, answer?.value], ["completed", [null, false]]),
              ...differ("the letters", sent, ["Ada"]),
              ...differ("what is gone", told?.gone, ["total"]),
              ...differ(
                "the calls",
                [told?.interrupted?.finished, told?.interrupted?.unknown].map((calls) =>
                  calls?.map(({ name }) => name),
                ),
                [["send"], ["wait"]],
              ),
              ...["The task was interrupted", 'tools.send("to":"Ada") -> "sent to Ada"', "- tools.wait()"]
                .filter((words) => !observation.includes(words))
                .map((words) => `the model is not told: ${words}`),
              ...differ("what is saved in the end", kept.state, "completed"),
            ];
          } finally {
            await next.close();
            disk.close();
          }
        }),
      ),
  },
  {
    id: "saved-2",
    title: "a task comes back from IndexedDB as it was, and is run again with real code, which has to do the same",
    needs: ["sync_calls"],
    inChromium: "agent/saved-tasks.test.ts",
    run: (_open, shared) =>
      withDatabase(async (name) => {
        const session = await shared();
        const storage = indexedDBStorage(name);
        const tasks = new TaskStore(storage);
        const write = (text: string): Promise<unknown> =>
          session.workspace.write("n.txt", new TextEncoder().encode(text));
        await write("20");
        const model = dictated(
          block("from datetime import date", 'n = int(open("/workspace/n.txt").read())', "print(n)", "1 / 0"),
          block("class Picture:", "    def _repr_png_(self): return b'\\x89PNG'", "display(Picture())", "[2**70, {n}]"),
          block('final_answer({"day": date(2026, 11, 22), "b": b"12", "n": n * 2}, verified_by="looked")'),
        );
        const run = new CodeAgent({ session, model, tasks }).run("Double it.");
        const result = await run.result;
        const listed = await tasks.list();
        storage.close();

        const again = indexedDBStorage(name);
        const saved = await new TaskStore(again).load(run.taskId);
        again.close();
        const repeat = (): AgentRun => rerunTask(saved, ({ model: words }) => new CodeAgent({ session, model: words }));
        const same = await repeat().result;
        await write("21");
        const other = await repeat().result;
        return [
          ...differ("how it ended", [result.state, saved.state, same.state], ["completed", "completed", "completed"]),
          ...differ("the list", [listed.tasks.map(({ taskId }) => taskId), listed.problems], [[run.taskId], []]),
          ...differ("its steps", shown(saved.steps), shown(result.steps)),
          ...differ("its answer", shown(saved.result?.answer), shown(result.answer)),
          ...differ("its conversation", shown(saved.conversation), shown(run.conversation)),
          ...differ("the answer of the second time", same.output, result.output),
          ...differ(
            "where the code does something else",
            [other.state, other.error !== null && "code" in other.error && other.error.code],
            ["error", "RECORDING_MISMATCH"],
          ),
        ];
      }),
  },
];

/** With what JSON leaves out, and fields in the order of their names: what is read back has them in its own. */
function shown(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === "bigint") return `${String(part)}n`;
    if (part instanceof Set || part instanceof Map)
      return { [part.constructor.name]: [...(part as Iterable<unknown>)] };
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
