import { z } from "zod";

import { comlinkGate } from "../../src/bridge/comlink-gate.js";
import { Journal } from "../../src/dispatch/index.js";
import {
  functionTool,
  indexedDBStorage,
  memoryStorage,
  pageHost,
  Session,
  type Value,
  type WorkerHost,
} from "../../src/index.js";
import { BridgeRequest, isRecord } from "../../src/protocol/index.js";
import { MEASURE, TEXT, type StepsTransport } from "./bench-page.js";
import { rawBlobSide } from "./sides/raw-blob-side.js";
import { failure } from "./sides/vitrine-side.js";

/** Calls that are taken apart; the blob channel's take long. */
const CALLS = { "shared-memory": 2000, jspi: 2000, "blob-channel": 20 } as const;

/**
 * Takes one tool call apart: a host that notes when messages come and go, a
 * tool that notes when it runs, and Python that looks at the clock between its
 * own steps. Milliseconds, means of many calls; what is named `alone` was run in
 * a loop of its own and is part of a step above it.
 */
export async function measureSteps(transport: StepsTransport): Promise<Record<string, number>> {
  const count = CALLS[transport];
  const watch = new Stopwatch();
  const session = await Session.open({
    storage: indexedDBStorage("bench-steps"),
    trust: "local",
    transport,
    timeout: null,
    host: watchedHost(watch),
    tools: [
      functionTool({
        name: "echo",
        description: "Gives the text back.",
        input: z.object({ text: z.string() }),
        run: ({ text }) => {
          watch.note("tool begins");
          return text;
        },
        hints: { readOnly: true },
      }),
    ],
  });
  try {
    const call = `tools.echo.echo(text=${JSON.stringify(TEXT)})`;
    await run(session, `${MEASURE}\n${STEPS}\nmeasure(lambda: ${call}, ${String(count / 4)})`);
    const whole = Number(await run(session, `measure(lambda: ${call}, ${String(count)})`)) / count;
    session.onCall(({ namespace, outcome }) => {
      if (namespace === "runs") return;
      watch.note(outcome.kind === "pending" ? "call noted" : "outcome noted");
    });
    const sent = watch.watchReplies(transport);
    const steps = await run(session, `time_steps(${String(count)})`);
    sent.stop();
    if (!isRecord(steps)) throw new TypeError("Python did not tell its times.");
    const python = new Map(Object.entries(steps).map(([name, time]) => [name, Number(time) / count]));
    const onPage = watch.meanSteps();
    const page = [...onPage.values()].reduce((sum, time) => sum + time, 0);
    return {
      "Python: proxy and its steps": python.get("proxy") ?? NaN,
      "Python: encode": python.get("encode") ?? NaN,
      "worker: post (into JavaScript, Comlink, structured clone)": python.get("post") ?? NaN,
      [SENDING[transport]]: (python.get("wait") ?? NaN) - page,
      ...Object.fromEntries(onPage),
      "Python: decode": python.get("decode") ?? NaN,
      "whole call": whole,
      ...(transport === "blob-channel" ? await measureRawSteps(count) : await measureAlone()),
    };
  } finally {
    await session.close();
  }
}

const hops = "sending, two hops between the threads, waking";
const SENDING: Readonly<Record<StepsTransport, string>> = {
  "shared-memory": hops,
  jspi: hops,
  "blob-channel": "sending, mail, its address of 128 requests, reading it",
};

const STEPS = `
from vitrine import _codec
from vitrine._tools import ToolProxy

class NoBridge:
    def request(self, method, arguments):
        return ""

def time_steps(count):
    host, now = tools._bridge._host, time.perf_counter
    request = {"tool": "echo", "callable": "echo", "arguments": {"text": ${JSON.stringify(TEXT)}}}
    encode = post = wait = decode = 0.0
    for index in range(count):
        a = now()
        text, buffers = _codec.encode(request)
        b = now()
        host.post(1_000_000 + index, "tools.call", parent=None, text=text, buffers=buffers)
        c = now()
        events = host.wait(None)
        d = now()
        _codec.decode(events[0].text, events[0].buffers)
        e = now()
        encode += b - a; post += c - b; wait += d - c; decode += e - d
    proxy = ToolProxy(NoBridge(), tools.echo._tool).echo
    a = now()
    for _ in range(count):
        proxy(text=${JSON.stringify(TEXT)})
    proxies = now() - a
    times = dict(encode=encode, post=post, wait=wait, decode=decode, proxy=proxies)
    return {name: seconds * 1000 for name, seconds in times.items()}
`;

async function run(session: Session, code: string): Promise<Value> {
  const { value, error } = await session.run(code);
  if (error !== null) throw failure(error);
  return value;
}

/** The steps on the page, each by the moment that ends it. */
const pageSteps = new Map([
  ["call noted", "page: Comlink gate, zod, decode, journal the beginning"],
  ["tool begins", "page: check arguments, reach the tool"],
  ["outcome noted", "page: back through dispatch, journal the outcome"],
  ["reply ready", "page: encode the reply"],
]);

class Stopwatch {
  readonly #totals = new Map<string, number>();
  #last = 0;
  #calls = 0;

  begin(): void {
    this.#last = performance.now();
    this.#calls += 1;
  }

  /** The time since the moment before belongs to the step that ends here. */
  note(moment: string): void {
    const now = performance.now();
    this.#totals.set(moment, (this.#totals.get(moment) ?? 0) + now - this.#last);
    this.#last = now;
  }

  /** From now on the moment is noted when an answer leaves the page, by the transport's own way. */
  watchReplies(transport: StepsTransport): { stop(): void } {
    this.#totals.clear();
    this.#calls = 0;
    this.onReply = (way) => {
      if (way === transport) this.note("reply ready");
    };
    const { notify } = Atomics;
    Atomics.notify = new Proxy(notify, {
      apply: (target, receiver, args) => {
        // Before, because the woken thread may take this one's core at once.
        this.onReply("shared-memory");
        return Reflect.apply(target, receiver, args) as unknown;
      },
    });
    return {
      stop: () => {
        Atomics.notify = notify;
        this.onReply = () => undefined;
      },
    };
  }

  onReply: (way: StepsTransport) => void = () => undefined;

  meanSteps(): Map<string, number> {
    return new Map(
      Array.from(pageSteps, ([moment, step]) => [step, (this.#totals.get(moment) ?? NaN) / this.#calls] as const),
    );
  }
}

/** The page's host, with a port that tells when a message comes and when one leaves. */
function watchedHost(watch: Stopwatch): WorkerHost {
  const host = pageHost();
  return {
    kind: "page",
    spawn: async (source) => {
      const worker = await host.spawn(source);
      const { port, blobUrls } = worker;
      const post = port.postMessage.bind(port) as (message: unknown, transfer: Transferable[]) => void;
      port.postMessage = (message: unknown, transfer?: Transferable[] | StructuredSerializeOptions) => {
        watch.onReply("jspi");
        post(message, Array.isArray(transfer) ? transfer : []);
      };
      // What the gate listens with gets every message a moment later than this.
      port.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
        if (isRecord(data) && data.type === "APPLY") watch.begin();
      });
      const watchedUrls: typeof blobUrls = {
        create: (blob, count) => {
          // One is a mail, many are the next batch.
          if (count === 1 && blob.size > 0) watch.onReply("blob-channel");
          return blobUrls.create(blob, count);
        },
        revoke: (urls) => {
          blobUrls.revoke(urls);
        },
      };
      return { ...worker, blobUrls: watchedUrls };
    },
  };
}

/** Parts of the steps above, each in a loop without threads. */
async function measureAlone(): Promise<Record<string, number>> {
  const text = JSON.stringify({ tool: "echo", callable: "echo", arguments: { text: TEXT } });
  const request = { id: 1, runId: "run-1", parent: null, method: "tools.call", payload: { text, buffers: [] } };
  const message = { id: "1", type: "APPLY", path: ["request"], argumentList: [{ type: "RAW", value: request }] };

  const { port1: port, port2 } = new MessageChannel();
  const schema = z.tuple([BridgeRequest]);
  const fail = (error: Error): never => {
    throw error;
  };
  comlinkGate(port, new Map([["request", schema]]), { onViolation: fail, onLost: fail });
  const event = new MessageEvent("message", { data: message });
  const hear = port.onmessage;
  const gate = await timeOf(() => hear?.call(port, event));
  port2.close();
  port.close();

  const journal = new Journal(memoryStorage(), { sessionId: "bench" });
  const record = {
    runId: "run-1",
    parent: null,
    caller: "code",
    namespace: "tools",
    name: "echo",
    arguments: { text: TEXT },
    trust: "local",
  } as const;
  const journalTime = await timeOf(() => {
    const { entry } = journal.begin(record, { urgent: false });
    journal.finish(entry.id, { kind: "ok", summary: TEXT, elapsed: 1 }, { urgent: false });
  });
  return {
    "alone: Comlink gate with zod": gate,
    "alone: zod of the request": await timeOf(() => schema.parse([request])),
    "alone: both journal entries": journalTime,
  };
}

/** In parts, between which the page gets its turn: the gate ends a worker that floods it. */
async function timeOf(work: () => unknown): Promise<number> {
  const PART = 500;
  let time = 0;
  for (const isCounted of [false, false, true, true, true, true]) {
    const started = performance.now();
    for (let index = 0; index < PART; index++) work();
    if (isCounted) time += performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return time / (4 * PART);
}

/** The blob channel by hand, in a sealed frame: what its mechanism costs alone. */
async function measureRawSteps(count: number): Promise<Record<string, number>> {
  const side = await rawBlobSide();
  await side.time("echo", 2);
  const { steps } = await side.measure("echo", count);
  await side.close();
  return {
    "alone: by hand, asking until the mail is there": steps.waiting / count,
    "alone: by hand, its address of 128 requests": steps.spelling / count,
    "alone: by hand, reading it": steps.reading / count,
  };
}
