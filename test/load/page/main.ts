import {
  codegenTool,
  executeCodeTool,
  functionTool,
  indexedDBStorage,
  Session,
  ModelSettingsError,
  type ApprovalRequest,
  type Model,
  type OutputChunk,
  type RunResult,
} from "../../../src/index.js";
import type { Beat, Silence } from "../../escape/page/heart.js";
import { loadAttempts, type LoadAttempt } from "../attempts/index.js";
import { OutputLog } from "../../../src/ui/state/text/output-log.js";
import { drawApproval, drawArtifact, drawOutput, drawQuestion, eraseAll } from "./drawing.js";
import { Meter } from "./meter.js";
import { ShelfOnPage } from "./shelf.js";
import type { LoadPage, LoadReport } from "./report.js";
import { writingModel } from "./writing-model.js";

declare global {
  /** Hears of what the page's code does: see `reports` in bounds.ts. */
  var loadMeter: Meter;
  /** Settles when the page is ready for attempts. */
  var loadPage: Promise<LoadPage>;
}

/** Milliseconds between two beats that a thread beside the page's listens for. */
const PACE = 50;

/** An artifact and a file that no attempt may cost. */
const KEPT = "kept.txt";

/** `send(method, text)` sends a request past what Python itself would make of it. */
const PRELUDE = `
from vitrine import _bridge

_encode = _bridge._codec.encode

def send(method, text):
    _bridge._codec.encode = lambda arguments, **_: (text, [])
    try:
        return artifacts._bridge.request(method, {})
    finally:
        _bridge._codec.encode = _encode
`;

/** Takes from the worker what it alone could bound: there the page's address is not known. */
const UNBOUNDED = `
import js
from vitrine import _encoded_result

js.unboundedMessages = True
_encoded_result._SENT_OF_A_CUT_VALUE = 10**9
`;

/** Is asked only where the request for a program was taken. */
const silentModel: Model = {
  name: "silent",
  kind: "silent",
  // oxlint-disable-next-line require-yield -- it has nothing to say
  async *complete() {
    await Promise.resolve();
    throw new ModelSettingsError("model", "it says nothing");
  },
};

const anything = { type: "object", properties: { value: {} } } as const;
const questions: ApprovalRequest[] = [];
const prompts: string[] = [];
/** Lets calls of `hold` end. */
const held: (() => void)[] = [];
const watch = new Worker(new URL("../../escape/page/heart.worker.ts", import.meta.url), { type: "module" });
let session: Session | undefined;
let shelf: ShelfOnPage | undefined;

globalThis.loadMeter = new Meter();
// Counting takes time as well, which is not to be taken for what a bound is for.
if (!["without", "unmetered"].some((name) => new URLSearchParams(location.search).has(name)))
  globalThis.loadMeter.watch();
const isUnbounded = new URLSearchParams(location.search).get("without") === "messages";
const prelude = isUnbounded ? PRELUDE + UNBOUNDED : PRELUDE;
globalThis.loadPage = Promise.resolve({ make });

async function make(name: string): Promise<LoadReport> {
  const attempt = loadAttempts.find((candidate) => candidate.name === name);
  if (attempt === undefined) throw new Error(`There is no attempt "${name}".`);
  const current = await sessionFor(attempt);
  if (attempt.tab !== undefined) await shelf?.show(attempt.tab);
  const silence = startBeating();
  const measure = globalThis.loadMeter.begin();
  questions.splice(0);
  prompts.splice(0);
  const log = new OutputLog();
  const onOutput = (chunk: OutputChunk): void => {
    log.add(chunk);
  };
  const result = await current.run(`${prelude}\n${attempt.code}`, { onOutput, timeout: null });
  if (attempt.tab === undefined) await draw(attempt, current, { log, result });
  else await drawShelf(attempt.tab);
  const measured = measure();
  const silent = await silence();
  eraseAll();
  await forget(current);
  const isOver = current.state === "closed";
  const next = isOver ? null : (await current.run("1 + 1")).value;
  const { error } = result;
  return {
    ...measured,
    error: error === null ? null : { code: error.code, message: error.message },
    next,
    keptAll: await keptAll(await sessionFor(attempt)),
    silence: silent,
  };
}

/** Draws what came of the run bit by bit, and then all of it as one who opens the tab now sees it. */
async function drawShelf(tab: string): Promise<void> {
  await shelf?.drawn();
  await shelf?.showAgain(tab);
  await shelf?.drawn();
}

/** The session of an attempt: the demo's where its shelf is drawn. */
async function sessionFor({ tab }: LoadAttempt): Promise<Session> {
  if (tab === undefined) return await ownSession();
  const isFirst = shelf === undefined;
  shelf ??= new ShelfOnPage();
  const opened = await shelf.session();
  if (isFirst) await keepSomething(opened);
  return opened;
}

/** The session of most attempts; another on the same storage where it is over. */
async function ownSession(): Promise<Session> {
  if (session !== undefined && session.state !== "closed") return session;
  const isFirst = session === undefined;
  const opened = await Session.open({
    storage: indexedDBStorage("load"),
    timeout: null,
    fileTools: true,
    limits: { callsPerRun: 5000 },
    packages: [{ folder: "packages/" }, { index: "packages/simple/" }],
    approvals: {
      "tools.asked": "ask",
      "skills.create": "ask",
      "tools.apply_patch": "allow",
      "tools.write_codebase_tool": "allow",
    },
    writeCode: { models: [writingModel] },
    onApproval: (request) => {
      if (request.name === "skills.create" && request.skill?.name !== "asked") return { decision: "allow" };
      questions.push(request);
      return { decision: "deny" };
    },
    onInput: (prompt) => {
      prompts.push(prompt);
      return Promise.resolve("said");
    },
    onProblem: () => undefined,
    tools: [
      functionTool({ name: "take", description: "Takes a value", input: anything, run: () => "taken" }),
      functionTool({ name: "asked", description: "Asks first", input: anything, run: () => "done" }),
      functionTool({ name: "echo", description: "Gives it back", input: anything, run: ({ value }) => value ?? null }),
      functionTool({
        name: "hold",
        description: "Waits for release",
        input: anything,
        run: async ({ value }) => {
          await new Promise<void>((resolve) => held.push(resolve));
          return value ?? null;
        },
      }),
      functionTool({
        name: "release",
        description: "Ends all waits",
        input: {},
        run: () => {
          for (const release of held.splice(0)) release();
          return null;
        },
      }),
      functionTool({
        name: "strict",
        description: "Takes texts of a pattern",
        input: {
          type: "object",
          properties: { value: { type: "array", items: { type: "string", pattern: "^(a+)+$" } } },
        },
        run: () => "taken",
      }),
    ],
  });
  opened.tools.register(codegenTool({ session: opened, model: silentModel, repairs: 0, retries: 0 }));
  opened.tools.register(executeCodeTool({ session: opened }));
  session = opened;
  if (isFirst) await keepSomething(opened);
  return opened;
}

/** Stores what no attempt may cost. */
async function keepSomething({ artifacts, skills, workspace }: Session): Promise<void> {
  await artifacts.save(KEPT, "kept");
  await skills.create({ name: "kept", source: "def run():\n    return 'kept'", description: "" });
  await workspace.write(KEPT, new TextEncoder().encode("kept"));
}

/** What the attempt has in Python's heap, which is the next one's as well. */
const FORGET = [
  "for _name in [name for name in globals() if not name.startswith('_')]: del globals()[_name]",
  "__import__('gc').collect()",
].join("\n");

/** Takes away what the attempt has stored. */
async function forget(current: Session): Promise<void> {
  const { state, artifacts, skills, workspace } = current;
  if (state === "closed") return;
  await current.run(FORGET);
  for (const { name } of await artifacts.list()) if (name !== KEPT) await artifacts.delete(name);
  for (const { name } of (await skills.list()).skills) if (name !== "kept") await skills.delete(name);
  const doomed = (await workspace.list()).filter(({ path }) => path !== KEPT);
  if (doomed.length > 0)
    await current.run(
      "import os\nfor name in os.listdir('/workspace'):\n    if name != 'kept.txt': os.remove(f'/workspace/{name}')",
    );
}

async function keptAll(opened: Session): Promise<boolean> {
  const { value } = await opened.run("[artifacts.load('kept.txt'), skills.kept(), open('/workspace/kept.txt').read()]");
  return JSON.stringify(value) === '["kept","kept","kept"]';
}

/** Draws what came of a run as the demo would. */
async function draw({ draws }: LoadAttempt, { artifacts }: Session, ran: Ran): Promise<void> {
  if (draws === "output") await drawOutput(ran.log, ran.result);
  if (draws === "question") for (const prompt of prompts) await drawQuestion(prompt);
  if (draws === "approval" || draws === "whole approval") {
    for (const request of questions) await drawApproval(request, { isWhole: draws === "whole approval" });
  }
  if (draws !== "artifact") return;
  for (const { name } of await artifacts.list()) {
    if (name !== KEPT) await drawArtifact(name, await artifacts.loadBytes(name));
  }
}

interface Ran {
  readonly log: OutputLog;
  readonly result: RunResult;
}

/** Tells a thread of its own that the page is alive. The answer ends that, and says for how long it was not. */
function startBeating(): () => Promise<Silence> {
  const tell = (beat: Beat): void => {
    watch.postMessage(beat);
  };
  const alive = (): void => {
    tell({ kind: "alive", of: "page" });
  };
  alive();
  const timer = setInterval(alive, PACE);
  return () => {
    clearInterval(timer);
    alive();
    return new Promise((resolve) => {
      watch.onmessage = ({ data }: MessageEvent<Silence>) => {
        resolve(data);
      };
      tell({ kind: "end" });
    });
  };
}
