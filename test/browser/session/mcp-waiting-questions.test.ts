import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";

import { mcpTool, memoryStorage, Session, type McpAnswers, type RunResult } from "../../../src/index.js";
import { RUN, untilShown } from "../../timeouts.mjs";

const { stateful = "", statefulDesk = "" } = inject("mcpServers");

async function log(): Promise<readonly string[]> {
  return (await (await fetch(`${statefulDesk}/log`)).json()) as string[];
}

let session: Session | undefined;

beforeEach(() => fetch(`${statefulDesk}/clear`, { method: "POST" }));
afterEach(() => session?.close());

interface Waiting {
  readonly session: Session;
  readonly running: Promise<RunResult>;
  /** Those that the page was given with its questions. */
  readonly signals: readonly AbortSignal[];
}

/** A run that waits for a question which the page never answers, and whose signal it overlooks. */
async function leaveWaiting(kind: "elicitation" | "sampling"): Promise<Waiting> {
  const signals: AbortSignal[] = [];
  const { promise: asked, resolve } = Promise.withResolvers<null>();
  const overlook = (_: unknown, signal: AbortSignal): Promise<never> => {
    signals.push(signal);
    resolve(null);
    return new Promise(() => undefined);
  };
  const mcp: McpAnswers = { onElicitation: overlook, onSampling: overlook };
  const opened = await Session.open({
    storage: memoryStorage(),
    tools: [mcpTool({ name: "far", url: `${stateful}/mcp`, timeout: RUN })],
    mcp,
    onProblem: () => undefined,
  });
  session = opened;
  const code =
    kind === "elicitation"
      ? 'tools.far.request(method="elicitation/create", params={"message": "?", "requestedSchema": {"type": "object", "properties": {}}})'
      : 'tools.far.request(method="sampling/createMessage", params={"messages": [], "maxTokens": 1})';
  const running = opened.run(code);
  await asked;
  return { session: opened, running, signals };
}

const CANCELLED = {
  elicitation: 'answer {"action":"cancel"}',
  sampling: expect.stringMatching(/^answer \{"code":.*are over/) as string,
};

describe.each(["elicitation", "sampling"] as const)("a question (%s) that waits", (kind) => {
  test("as its run is stopped is taken back: the server hears that it is cancelled, as its call is", async () => {
    const { session, running, signals } = await leaveWaiting(kind);

    session.interrupt();

    expect((await running).error).toMatchObject({ code: "RUN_INTERRUPTED" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await expect.poll(log, untilShown).toContainEqual(CANCELLED[kind]);
    expect(await log()).toContain("notifications/cancelled");
  });

  test("as its session is closed is taken back, and nothing waits for the page", async () => {
    const { session, running, signals } = await leaveWaiting(kind);

    await session.close();

    expect((await running).ok).toBe(false);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await expect.poll(log, untilShown).toContainEqual(CANCELLED[kind]);
    expect(await log()).toContain("notifications/cancelled");
  });

  test("and is never answered does not hold the clock of the runs after it", async () => {
    const { session, running } = await leaveWaiting(kind);
    session.interrupt();
    await running;

    const result = await session.run("while True: pass", { timeout: 300 });

    expect(result.error).toMatchObject({ code: "RUN_TIMEOUT" });
  });
});
