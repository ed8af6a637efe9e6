import {
  CodeAgent,
  functionTool,
  indexedDBStorage,
  memoryStorage,
  Session,
  TaskStore,
  type AgentRun,
  type AgentSession,
  type Model,
} from "../../src/index.js";
import { AppState } from "../../src/ui/state/app-state.js";
import { TranscriptView } from "../../src/ui/components/page/transcript-view.js";
import "../../src/ui/styles/tokens.css";
import "../../src/ui/styles/page.css";
import "../../src/ui/styles/steps.css";
import "../../src/ui/styles/transcript.css";
import "../../src/ui/styles/markdown.css";
import "../../src/ui/styles/data-views.css";
import type { AgentsPage } from "./bench-page.js";
import { startHeartbeat } from "./heartbeat.js";

/** Steps of a task whose steps are timed, and of the transcript. */
const TIMED_STEPS = 40;
const LONG = 500;

const echo = functionTool({
  name: "echo",
  description: "Says it again.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});

const CODE = [
  "rows = [(number, number ** 2) for number in range(20)]",
  "for number, square in rows:",
  '    print(f"{number:>3} squared is {square}")',
  'tools.echo(text="a line of text")',
].join("\n");

/** A model that takes no time, and a clock of what passes from the end of one run to the beginning of the next. */
class Clock {
  readonly between: number[] = [];
  #ended: number | undefined;

  readonly model: Model = {
    name: "instant",
    kind: "recorded",
    complete: async function* () {
      const text = `The squares again, and a call.\n\n\`\`\`python\n${CODE}\n\`\`\``;
      for (const piece of text.match(/.{1,24}/gs) ?? []) yield { type: "text" as const, text: piece };
      yield { type: "done" as const, finishReason: "stop" as const, usage: { inputTokens: 10, outputTokens: 10 } };
      await Promise.resolve();
    },
  };

  session(session: Session): AgentSession {
    return {
      tools: session.tools,
      skills: session.skills,
      workspace: session.workspace,
      journal: session.journal,
      run: async (code, options) => {
        if (this.#ended !== undefined) this.between.push(performance.now() - this.#ended);
        const result = await session.run(code, options);
        this.#ended = performance.now();
        return result;
      },
    };
  }
}

let opening: Promise<Session> | undefined;

function openSession(): Promise<Session> {
  return (opening ??= Session.open({ storage: memoryStorage(), trust: "sandboxed", tools: [echo] }));
}

function startTask(clock: Clock, session: Session, { steps, tasks }: { steps: number; tasks?: TaskStore }): AgentRun {
  return new CodeAgent({
    session: clock.session(session),
    model: clock.model,
    maxSteps: steps,
    ...(tasks === undefined ? {} : { tasks }),
  }).run("Square twenty numbers, again and again.");
}

/** Names of the databases: each is used once, and deleted. */
let databases = 0;

async function withStore<Result>(use: (tasks: TaskStore) => Promise<Result>): Promise<Result> {
  databases += 1;
  const name = `bench-agents-${String(databases)}`;
  const storage = indexedDBStorage(name);
  try {
    return await use(new TaskStore(storage));
  } finally {
    storage.close();
    indexedDB.deleteDatabase(name);
  }
}

async function timeSteps(tasks?: TaskStore): Promise<number> {
  const clock = new Clock();
  const session = await openSession();
  const run = startTask(clock, session, { steps: TIMED_STEPS, ...(tasks === undefined ? {} : { tasks }) });
  await run.result;
  const times = clock.between;
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? NaN;
}

/** Where the long task stays from page to page. */
const CACHE = "bench-agents";
const FILE = "/long-task.json";

/** Really runs a task of 500 steps and keeps its file, unless it is there. */
async function makeLongTask(): Promise<void> {
  const cache = await caches.open(CACHE);
  if ((await cache.match(FILE)) !== undefined) return;
  const session = await openSession();
  const file = await withStore(async (tasks) => {
    const run = startTask(new Clock(), session, { steps: LONG, tasks });
    await run.result;
    return tasks.export(run.taskId);
  });
  await cache.put(FILE, new Response(file));
}

async function longTask(): Promise<string> {
  const cache = await caches.open(CACHE);
  const file = await cache.match(FILE);
  if (file === undefined) throw new Error("Ask for the long task first.");
  return file.text();
}

/** Opens the long task in an empty page, from a database as the demo does. `whenKept` is called once it is there. */
async function openTranscript(whenKept: () => void = () => undefined): Promise<TranscriptView> {
  const file = await longTask();
  return withStore(async (tasks) => {
    const { taskId } = await tasks.import(file);
    const app = new AppState({
      openStorage: () => memoryStorage(),
      seeds: [],
      shipped: [],
      keyValueStore: () => sessionStorage,
      fetchFile: () => Promise.reject(new Error("There are no files here.")),
      serverAuth: () => Promise.reject(new Error("Nobody logs in.")),
    });
    const transcript = new TranscriptView();
    transcript.app = app;
    transcript.style.height = "100%";
    document.body.replaceChildren(transcript);
    await idle();
    whenKept();
    await app.tasks.open(await tasks.load(taskId));
    const steps = transcript.getElementsByTagName("vitrine-app-step");
    while (steps.length < LONG) await frames(1);
    await frames(2);
    return transcript;
  });
}

async function frames(count: number): Promise<void> {
  for (let frame = 0; frame < count; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Until what the page has done before is over, the engine's tidying up included. */
async function idle(): Promise<void> {
  await frames(10);
  await new Promise((resolve) => setTimeout(resolve, 1000));
}

const page: AgentsPage = {
  prepare: makeLongTask,
  step: (saving) => (saving === "saved" ? withStore((tasks) => timeSteps(tasks)) : timeSteps()),
  save: async () => {
    const session = await openSession();
    return withStore(async (tasks) => {
      const longest = startHeartbeat();
      const run = startTask(new Clock(), session, { steps: LONG, tasks });
      await run.result;
      const { length } = await tasks.export(run.taskId);
      const time = await longest();
      if (length < LONG * CODE.length) throw new Error(`The file has only ${String(length)} characters.`);
      return time;
    });
  },
  draw: async () => {
    let longest = (): Promise<number> => Promise.reject(new Error("Nothing was opened."));
    await openTranscript(() => {
      longest = startHeartbeat();
    });
    return longest();
  },
  scroll: async () => {
    const transcript = await openTranscript();
    await idle();
    const box = transcript.querySelector(".transcript");
    if (box === null) throw new Error("There is nothing to scroll.");
    box.scrollTop = 0;
    await frames(5);
    const longest = startHeartbeat();
    const height = box.scrollHeight;
    while (box.scrollTop + box.clientHeight < box.scrollHeight - 1) {
      box.scrollTop += box.clientHeight;
      await frames(1);
    }
    const time = await longest();
    if (height < 20 * box.clientHeight) throw new Error(`The transcript is only ${String(height)} px high.`);
    return time;
  },
};
globalThis.agents = page;
