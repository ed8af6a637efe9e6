import { describe, expect, test } from "vitest";
import { z } from "zod";

import { PROGRAM_TOOL_TAG } from "../../../src/codegen/index.js";
import { openContext } from "../../../src/context/index.js";
import type { RoundNote } from "../../../src/context/index.js";
import { messageText } from "../../../src/model/index.js";
import {
  decodeText,
  encodeText,
  memoryStorage,
  StorageFullError,
  type StorageBackend,
} from "../../../src/storage/index.js";
import { functionTool, type ToolAdapter } from "../../../src/tools/index.js";
import { all, calls, complete, copyOf, decide, maps, play, REPORT, scripted, turnSession } from "./turns.js";

const write = functionTool({
  name: "write",
  description: "Writes a text.",
  input: z.object({ content: z.string() }),
  hints: { readOnly: true },
  run: ({ content }) => `# ${content}`,
});
const session = turnSession([write]);
const budgets = { report: { explore: 1, exploit: 1 } };

/** A turn of two rounds that has used up both, its overdraft and a reading, and is stopped there; as it lies in storage. */
async function spentTurn(): Promise<{ readonly storage: StorageBackend; readonly turnId: string }> {
  const storage = memoryStorage();
  const looks = decide("decision", "explore", { show_artifacts: ["current_turn.artifacts.text"] });
  const first = calls("write", { content: "x" }, "text", { strategy: "explore" });
  const model = scripted("model", first, looks, calls("write", { content: "y" }, "text"), decide("exit", "exit"));
  const { result } = await play({ session, model, storage, request: { prompt: "Go.", contract: REPORT, budgets } });
  expect(result.exit).toBe("max_iterations");
  return { storage, turnId: result.turnId };
}

describe("a turn that is taken up again", () => {
  test("goes on from what was used of its budgets: where they are used up, no round is left", async () => {
    const { storage, turnId } = await spentTurn();

    const context = await openContext({ storage, id: "talk" });
    const model = scripted("model", decide("exit", "exit"));
    const { result, events } = await play({ session, model, context, request: { turnId } });

    expect(context.turn(turnId).record.budget).toEqual({
      granted: budgets,
      spent: {
        rounds: 3,
        calls: 2,
        reruns: 0,
        contextReads: 1,
        stages: { report: { explore: 1, exploit: 1, render: 0 } },
      },
    });
    expect(result.exit).toBe("max_iterations");
    // Only the round for mapping, which no budget bounds.
    expect(all(events, "round-started").map(({ budgetState }) => budgetState)).toEqual([
      "BUDGET_STATE: global(decisions left 0/2, tools left 0/2, reruns left 2/2, context reads left 2/3) stage[report](explore left 0/1, exploit left 0/1)",
    ]);
  });

  test("has what is granted anew on top of what was used, for the numbers that are named", async () => {
    const { storage, turnId } = await spentTurn();

    const context = await openContext({ storage, id: "talk" });
    const model = scripted("model", complete(maps("text")));
    const request = { turnId, budgets: { report: { exploit: 4 } } };
    const { result, events } = await play({ session, model, context, request });

    expect(all(events, "round-started")[0]).toMatchObject({
      isOverdraft: false,
      budgetState: expect.stringMatching(
        /decisions left 2\/5.* stage\[report\]\(explore left 0\/1, exploit left 3\/4\)/,
      ),
    });
    expect(result).toMatchObject({ exit: "complete", ok: true });
    expect(context.turn(turnId).record.budget?.granted).toEqual({ report: { explore: 1, exploit: 4 } });
  });

  test("is in the overdraft at once where it was left in it", async () => {
    const storage = memoryStorage();
    const explore = calls("write", { content: "x" }, "text", { strategy: "explore" });
    const stop = new AbortController();
    const model = scripted("model", explore, { ...explore, notes: "again" });
    const stopping = { ...model, complete: (...args: Parameters<typeof model.complete>) => {
      if (model.requests.length === 2) stop.abort();
      return model.complete(...args);
    } }; // prettier-ignore
    const request = { prompt: "Go.", contract: REPORT, budgets };
    const before = await play({ session, model: stopping, storage, request, signal: stop.signal });

    const context = await openContext({ storage, id: "talk" });
    const again = scripted("model", decide("call_tool", "render"), decide("exit", "exit"));
    const { result, events } = await play({
      session,
      model: again,
      context,
      request: { turnId: before.result.turnId },
    });

    expect(before.result.exit).toBe("cancelled");
    expect(all(events, "round-started")[0]?.isOverdraft).toBe(true);
    expect(result.exit).toBe("exploit_overdraft_blocked");
  });

  test("of a release that kept no budgets is read, and has them whole", async () => {
    const { storage, turnId } = await spentTurn();
    const key = `contexts/talk/turns/${turnId}`;
    const { budget, ...old } = z
      .record(z.string(), z.json())
      .parse(JSON.parse(decodeText((await storage.get(key)) ?? new Uint8Array()) ?? ""));
    expect(budget).toMatchObject({ spent: { rounds: 3 } });
    await storage.write(
      new Map([
        [key, encodeText(JSON.stringify(old))],
        ["contexts/talk/head", encodeText(JSON.stringify({ record: 1, current: turnId }))],
      ]),
    );

    const context = await openContext({ storage, id: "talk" });
    expect(context.problems()).toEqual([]);
    const model = scripted("model", complete(maps("text")));
    const { result, events } = await play({ session, model, context, request: { turnId } });

    expect(all(events, "round-started")[0]?.budgetState).toContain("decisions left 5/5");
    expect(result.exit).toBe("complete");
  });
});

/** A tool whose call does not end, as the page is when it goes meanwhile. */
function endless(began: () => void, more: { readonly tags?: readonly string[] } = {}): ToolAdapter {
  return functionTool({
    name: "send",
    description: "Sends a text.",
    input: { type: "object", properties: { output_contract: { type: "object" }, to: { type: "string" } } },
    ...more,
    run: (_args, { signal, callTool }) =>
      new Promise<string>((resolve) => {
        signal.addEventListener("abort", () => {
          resolve("stopped");
        });
        void callTool("write", { content: "inside" }).then(began);
      }),
  });
}

/** Lets a call begin, and copies what is stored at that moment: that is all that a page finds that comes back. */
async function gone(
  decision: Readonly<Record<string, unknown>>,
  more: { readonly tags?: readonly string[] } = {},
): Promise<{ readonly disk: StorageBackend; readonly turnId: string; readonly tools: readonly ToolAdapter[] }> {
  const storage = memoryStorage();
  const stop = new AbortController();
  let began = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    began = resolve;
  });
  const tools = [write, endless(() => { began(); }, more)]; // prettier-ignore
  const lost = turnSession(tools, storage);
  const model = scripted("model", calls("write", { content: "x" }, "text"), decision);
  const playing = play({ session: lost, model, storage, signal: stop.signal });
  await begun;
  await lost.journal?.list();
  const disk = await copyOf(storage);
  stop.abort();
  const { turnId } = (await playing).result;
  return { disk, turnId, tools };
}

describe("a call that was under way when the page went", () => {
  test("has an unknown outcome in the turn's record, is told to the model, and is not made again by itself", async () => {
    const { disk, turnId, tools } = await gone(calls("send", { to: "Ada" }, "receipt"));

    const context = await openContext({ storage: disk, id: "talk" });
    const [, round] = context.turn(turnId).record.rounds as [RoundNote, RoundNote];
    expect(round).toMatchObject({ number: 2, toolId: "send", callId: null, begun: { params: { to: "Ada" } } });
    expect(context.turn(turnId).record.budget?.spent).toMatchObject({ rounds: 2, calls: 2 });

    const model = scripted("model", complete(maps("text")));
    const next = turnSession(tools, disk);
    const { result, events } = await play({ session: next, model, context, request: { turnId } });

    const [entry] = (await next.journal!.list()).filter(({ name }) => name === "send");
    const artifact = context.turn(turnId).artifacts.find(({ id }) => id === "receipt");
    expect(artifact).toMatchObject({
      error: {
        where: "send",
        error: "OUTCOME_UNKNOWN",
        description: expect.stringContaining("It may have taken effect"),
      },
      provenance: { toolId: "send", callId: entry?.id, params: { to: "Ada" }, round: 2 },
    });
    expect(artifact?.error?.description).toContain("Calls in its course: write (ended)");
    expect(artifact?.provenance.innerCallIds).toHaveLength(1);
    expect(all(events, "artifact-made")).toMatchObject([{ artifact: { id: "receipt" }, step: null }]);
    expect((model.requests[0] ?? []).map(messageText).join("\n")).toMatch(
      /DONE BEFORE:[^]*round 2: call_tool send → receipt@1[^]*receipt \(@1, inline\): ERROR \[OUTCOME_UNKNOWN\]/,
    );
    expect(result).toMatchObject({ exit: "complete", ok: true });
    // It is settled: the next one that takes the turn up finds nothing open.
    expect(context.turn(turnId).record.rounds[1]).not.toHaveProperty("begun");
    expect(context.turn(turnId).record.rounds[1]).toMatchObject({ callId: entry?.id, artifacts: ["receipt@1"] });
    const fills = { slot: "report", path: "current_turn.artifacts.text", refused: null };
    expect(context.turn(turnId).record.rounds[2]).toMatchObject({ number: 3, mappings: [fills] });
  });

  test("of a program has each artifact of its contract failed, and none of them fills a slot", async () => {
    const contract = { summary: { type: "inline", format: "text" }, table: { type: "file" } };
    const call = { tool_id: "send", params: { output_contract: contract } };
    const decision = decide("call_tool", "exploit", { tool_call: call });
    const { disk, turnId, tools } = await gone(decision, { tags: [PROGRAM_TOOL_TAG] });

    const context = await openContext({ storage: disk, id: "talk" });
    const model = scripted("model", complete(maps("summary")), decide("exit", "exit"));
    const { result, events } = await play({ session: turnSession(tools, disk), model, context, request: { turnId } });

    const failed = context.turn(turnId).artifacts.filter(({ error }) => error !== null);
    expect(failed.map(({ id, error }) => [id, error?.error])).toEqual([
      ["summary", "OUTCOME_UNKNOWN"],
      ["table", "OUTCOME_UNKNOWN"],
    ]);
    expect(all(events, "mapping-refused")).toMatchObject([{ reason: "not_resolvable_now" }]);
    expect(result).toMatchObject({ exit: "incomplete_contract", ok: false });
  });

  test("is unknown as well where no journal is at hand", async () => {
    const { disk, turnId, tools } = await gone(calls("send", { to: "Ada" }, "receipt"));

    const context = await openContext({ storage: disk, id: "talk" });
    const whole = turnSession(tools);
    const without = { client: whole.client.bind(whole), tools: whole.tools, skills: whole.skills };
    const model = scripted("model", complete(maps("text")));
    await play({ session: without, model, context, request: { turnId } });

    expect(context.turn(turnId).artifacts.at(-1)).toMatchObject({
      id: "receipt",
      error: { error: "OUTCOME_UNKNOWN" },
      provenance: { callId: null, innerCallIds: [] },
    });
  });

  test("ended as the journal knows where only its result was not kept any more", async () => {
    const storage = memoryStorage();
    let disk = storage;
    const send = functionTool({ name: "send", description: "Sends.", input: z.object({ to: z.string() }), run: ({ to }) => (to === "Ada" ? "sent" : Promise.reject(new RangeError("Nobody there."))) }); // prettier-ignore
    const lost = turnSession([send], storage);
    // The page goes between the end of the call and the record of what it came to.
    for (const to of ["Ada", "Nobody"]) {
      const before = await openContext({ storage, id: "talk" });
      const register = before.registerResult.bind(before);
      before.registerResult = async (call) => {
        await lost.journal!.list();
        disk = await copyOf(storage);
        return register(call);
      };
      const model = scripted("model", calls("send", { to }, "receipt"), decide("exit", "exit"));
      const { result } = await play({ session: lost, model, context: before });

      const context = await openContext({ storage: disk, id: "talk" });
      const again = scripted("model", decide("exit", "exit"));
      await play({ session: turnSession([send], disk), model: again, context, request: { turnId: result.turnId } });

      const [artifact] = context.turn(result.turnId).artifacts;
      expect(artifact?.error?.error).toBe(to === "Ada" ? "RESULT_LOST" : "TOOL_CALL");
      expect(artifact?.error?.description).toContain(to === "Ada" ? "The call ended well" : "Nobody there.");
    }
  });

  test("and whose result was kept, only not that the call has ended, has that result and no other", async () => {
    const send = functionTool({ name: "send", description: "Sends.", input: z.object({ to: z.string() }), run: ({ to }) => `sent to ${to}` }); // prettier-ignore
    const full = new StorageFullError(100);
    for (const lost of [null, full]) {
      const storage = memoryStorage();
      let disk = storage;
      const before = await openContext({ storage, id: "talk" });
      const note = before.noteRound.bind(before);
      before.noteRound = async (round, budget) => {
        const isEnd = round.toolId === "send" && round.begun === undefined;
        // The page goes before the note of the end, or the note fails.
        if (isEnd && lost !== null) throw lost;
        if (isEnd) disk = await copyOf(storage);
        return note(round, budget);
      };
      const makes = turnSession([send], storage);
      const says = scripted("model", calls("send", { to: "Ada" }, "receipt"), decide("exit", "exit"));
      const { result: first } = await play({ session: makes, model: says, context: before });

      const context = await openContext({ storage: disk, id: "talk" });
      expect(context.turn(first.turnId).record.rounds[0]).toHaveProperty("begun");
      const model = scripted("model", complete(maps("receipt")));
      const request = { turnId: first.turnId };
      const { result, events } = await play({ session: turnSession([send], disk), model, context, request });

      const { artifacts, record } = context.turn(first.turnId);
      expect(artifacts.map(({ id, version, text }) => [id, version, text])).toEqual([["receipt", 1, "sent to Ada"]]);
      expect(record.rounds[0]).not.toHaveProperty("begun");
      const callId = artifacts[0]?.provenance.callId;
      expect(record.rounds[0]).toMatchObject({ callId, artifacts: ["receipt@1"] });
      // It is no news: it was made, and told, before.
      expect(all(events, "artifact-made")).toEqual([]);
      expect(result).toMatchObject({ exit: "complete", ok: true });
    }
  });
});
