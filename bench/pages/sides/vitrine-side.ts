import { z } from "zod";

import type { BridgeHandler } from "../../../src/bridge/index.js";
import { WorkerExecutor } from "../../../src/executor/index.js";
import {
  functionTool,
  indexedDBStorage,
  Session,
  type RunError,
  type TransportKind,
  type TrustLevel,
} from "../../../src/index.js";
import { decodeValue } from "../../../src/protocol/index.js";
import { LARGE, MEASURE, TEXT, type Operation, type Side } from "../bench-page.js";

export interface Placement {
  readonly trust: TrustLevel;
  readonly transport: TransportKind;
}

const hints = { readOnly: true, idempotent: true };
const large = new Uint8Array(LARGE);

const toolCalls: Readonly<Record<Operation, string>> = {
  echo: `tools.echo.echo(text=${JSON.stringify(TEXT)})`,
  give: "tools.give.give(data=large)",
  take: "tools.take.take()",
};

/** `tools.x.y()`, through the whole dispatch into a function of the page. */
export async function toolSide({ trust, transport }: Placement): Promise<Side & { readonly session: Session }> {
  const session = await Session.open({
    storage: indexedDBStorage(`bench-${trust}`),
    trust,
    transport,
    timeout: null,
    tools: [
      functionTool({
        name: "echo",
        description: "Gives the text back.",
        input: z.object({ text: z.string() }),
        run: ({ text }) => text,
        hints,
      }),
      functionTool({
        name: "give",
        description: "Takes bytes from Python.",
        input: z.object({ data: z.instanceof(Uint8Array) }),
        run: ({ data }) => data.byteLength,
        hints,
      }),
      functionTool({
        name: "take",
        description: "Hands bytes to Python.",
        input: z.object({}),
        run: () => large,
        hints,
      }),
    ],
  });
  const prepared = await session.run(`${MEASURE}\nlarge = bytes(${String(LARGE)})`);
  if (prepared.error !== null) throw failure(prepared.error);
  return {
    session,
    time: async (operation, count) => {
      const { value, error } = await session.run(`measure(lambda: ${toolCalls[operation]}, ${String(count)})`);
      if (error !== null) throw failure(error);
      if (typeof value !== "number") throw new TypeError("No time came back.");
      return value;
    },
    close: () => session.close(),
  };
}

/** A run's error is a record, and only an Error's message reaches the terminal. */
export function failure({ pythonType, message }: RunError): Error {
  return new Error(`${pythonType}: ${message}`);
}

const primitiveCalls: Readonly<Record<Operation, string>> = {
  echo: `request("echo", {"text": ${JSON.stringify(TEXT)}})`,
  give: 'request("give", {"data": large})',
  take: 'request("take", {})',
};

/** The bridge's one primitive: Python posts a request and waits for its answer. No session, no dispatch, no journal. */
export async function primitiveSide({ trust, transport }: Placement): Promise<Side> {
  const executor = new WorkerExecutor({ trust, transport });
  await executor.start({
    handlers: new Map<string, BridgeHandler>([
      ["echo", { answer: ({ text }) => text ?? null }],
      ["give", { answer: ({ data }) => (data instanceof Uint8Array ? data.byteLength : null) }],
      ["take", { answer: () => large }],
    ]),
  });
  const run = async (code: string): Promise<number> => {
    const request = {
      runId: "bench",
      code,
      filename: "<bench>",
      timeout: null,
      helpers: { kind: "none" },
      imports: null,
      maxValueSize: 1e6,
      outputBytes: 2 ** 26,
      heapGrowth: null,
      maxOpenCalls: 250,
      autoInstall: false,
      toolCall: null,
    } as const;
    const outcome = await executor.run(request, {
      files: [],
      toolsVersion: 0,
      onOutput: () => undefined,
      onInterrupt: () => undefined,
    });
    if (outcome.kind === "lost") throw outcome.cause;
    if (outcome.reply.error !== null) throw new Error(outcome.reply.error.message);
    const value = outcome.reply.value === null ? null : decodeValue(outcome.reply.value);
    return typeof value === "number" ? value : NaN;
  };
  await run(`${MEASURE}\nlarge = bytes(${String(LARGE)})\nrequest = tools._bridge.request`);
  return {
    time: (operation, count) => run(`measure(lambda: ${primitiveCalls[operation]}, ${String(count)})`),
    close: () => executor.stop("the measurement is over"),
  };
}
