import { indexedDBStorage, Session, type Model, type ModelRequest } from "../../src/index.js";
import type { WriteCodePage } from "./bench-page.js";
import { startHeartbeat } from "./heartbeat.js";
import { candidateText, LONG } from "./written-code.js";

/** Batches of one sample. */
const BATCHES = 20;
const FILES = 5;
/** Characters of a piece of a reply, and of what comes with one turn of the page, as a read of the network does. */
const PIECE = 20;
const TURN = 1000;

/** What the writers' next replies are about: in each batch another text, so that files are changed and not only written. */
let batch = 0;

/** A model whose whole reply is ready. */
function instantModel(name: string, reply: (request: ModelRequest) => string): Model {
  return {
    name,
    kind: "recorded",
    complete: async function* (request) {
      const text = reply(request);
      for (let at = 0; at < text.length; at += PIECE) {
        yield { type: "text" as const, text: text.slice(at, at + PIECE) };
      }
      yield { type: "done" as const, finishReason: "stop" as const, usage: { inputTokens: 10, outputTokens: 10 } };
      await Promise.resolve();
    },
  };
}

/** The same reply, as a server would send it: with turns of the page in between. */
function streamingModel(name: string, reply: (request: ModelRequest) => string): Model {
  const ready = instantModel(name, reply);
  return {
    name,
    kind: "recorded",
    complete: async function* (request, options) {
      let sent = 0;
      for await (const chunk of ready.complete(request, options)) {
        yield chunk;
        sent += PIECE;
        if (sent % TURN === 0) await turn();
      }
    },
  };
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

const names = ["one", "two", "three"];

/** In the fence that the tool asks for. */
function replyOf(writer: number, lines: number): string {
  return `\`\`\`python\n${candidateText({ writer, batch, lines })}\`\`\``;
}

const SHORT = 60;
const writers = names.map((name, writer) => instantModel(name, () => replyOf(writer, SHORT)));
const arbiter = instantModel("arbiter", () => "2: It is the one in the middle.");

async function open(models: readonly Model[]): Promise<Session> {
  return Session.open({
    storage: indexedDBStorage(`bench-write-code-${String(Date.now())}`),
    trust: "sandboxed",
    approvals: { "tools.write_codebase_tool": "allow" },
    writeCode: { models, arbiter },
  });
}

function filesOf(count: number): { filename: string; code_description: string }[] {
  return Array.from({ length: count }, (_, file) => ({
    filename: `src/module_${String(file)}.py`,
    code_description: "Functions that add numbers, each to the one before.",
  }));
}

/** Milliseconds that a call takes. @throws {Error} where not all of it was written. */
async function timeOfCall(session: Session, count: number): Promise<number> {
  batch += 1;
  const started = performance.now();
  const answer = await session
    .client()
    .callTool("write_codebase_tool", { command: "write_codebase", files: filesOf(count) });
  const elapsed = performance.now() - started;
  const text = JSON.stringify(answer);
  if (!text.includes('"status":"success"') || !text.includes(`"files_successful":${String(count)},`)) {
    throw new Error(`The call came to ${text.slice(0, 1000)}`);
  }
  return elapsed;
}

async function consume(model: Model): Promise<void> {
  const request = { messages: [{ role: "user" as const, content: "Write." }] };
  for await (const chunk of model.complete(request, { signal: new AbortController().signal })) void chunk;
}

/** Milliseconds that the replies of a batch take by themselves: all writers at once for each file, and then its arbiter. */
async function timeOfReplies(): Promise<number> {
  batch += 1;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: FILES }, async () => {
      await Promise.all(writers.map(consume));
      await consume(arbiter);
    }),
  );
  return performance.now() - started;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}

let warm: Promise<Session> | undefined;
let long: Promise<Session> | undefined;

async function openWarm(): Promise<Session> {
  const session = await open(writers);
  // The first call opens what looks at texts.
  await timeOfCall(session, FILES);
  return session;
}

const page: WriteCodePage = {
  share: async () => {
    const session = await (warm ??= openWarm());
    const withTool: number[] = [];
    const bare: number[] = [];
    for (let index = 0; index < BATCHES; index++) {
      withTool.push(await timeOfCall(session, FILES));
      bare.push(await timeOfReplies());
    }
    return median(withTool) - median(bare);
  },
  stretch: async () => {
    const session = await (long ??= open(
      names.map((name, writer) => streamingModel(name, () => replyOf(writer, LONG))),
    ));
    const stop = startHeartbeat();
    await timeOfCall(session, 1);
    return stop();
  },
};
globalThis.writeCode = page;
