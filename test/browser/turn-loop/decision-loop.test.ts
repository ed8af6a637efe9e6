import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { codegenTool } from "../../../src/codegen/index.js";
import { openContext, type ReactContext } from "../../../src/context/index.js";
import { messageText } from "../../../src/model/index.js";
import type { Value } from "../../../src/protocol/index.js";
import { Session, type SessionOptions } from "../../../src/session/index.js";
import { indexedDBStorage, memoryStorage, type StorageBackend } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";
import {
  DecisionLoop,
  type DecisionLoopOptions,
  type TurnEvent,
  type TurnRequest,
  type TurnResult,
} from "../../../src/turn-loop/index.js";
import { AN_HOUR, leapingClock } from "../../leaping-clock.js";
import { dictated, files, overHttp } from "../codegen/programs.js";
import { freshName } from "../storage/fresh-name.js";
import { copyOf } from "../../unit/turn-loop/turns.js";

const REPORT = { report: { type: "inline", format: "markdown", description: "What was found." } };

const webSearch = functionTool({
  name: "web_search",
  description: "Searches the web.",
  input: z.object({ query: z.string(), limit: z.int().optional() }),
  hints: { readOnly: true },
  run: ({ query }) =>
    query === "fail"
      ? Promise.reject(new RangeError("Nothing there."))
      : [
          { title: "One", url: "https://one.example/", text: `about ${query}` },
          { title: "Two", url: "https://two.example/", text: "more" },
        ],
});
const write = functionTool({
  name: "write",
  description: "Writes a text.",
  input: z.object({ content: z.string() }),
  hints: { readOnly: true },
  run: ({ content }) => ({ content: `# ${content}` }),
});

const opened: Session[] = [];
async function open(options: Partial<SessionOptions> = {}): Promise<Session> {
  const session = await Session.open({
    storage: memoryStorage(),
    trust: "local",
    tools: [webSearch, write],
    ...options,
  });
  opened.push(session);
  return session;
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
});

type Says = Readonly<Record<string, unknown>> | string;
const decide = (action: string, strategy: string, more: Readonly<Record<string, unknown>> = {}) => ({
  action,
  strategy,
  focus_slot: "report",
  ...more,
});
const calls = (toolId: string, params: unknown, name: string, more: Readonly<Record<string, unknown>> = {}): Says =>
  decide("call_tool", "exploit", {
    tool_call: { tool_id: toolId, params, out_artifacts_spec: [{ name }], reasoning: "r" },
    ...more,
  });
const maps = (path: string) => ({
  map_slots: [{ slot_name: "report", source_path: `current_turn.artifacts.${path}` }],
});
const complete = (more = {}): Says => decide("complete", "exit", { completion_summary: "It is done.", ...more });

interface Played {
  readonly result: TurnResult;
  readonly events: readonly TurnEvent[];
  readonly context: ReactContext;
}

/** Lets a model behind the real server say these things in turn. */
async function play(
  says: readonly Says[],
  {
    session,
    storage = memoryStorage(),
    request = { prompt: "Sum it up.", contract: REPORT },
    signal,
    ...options
  }: Partial<Omit<DecisionLoopOptions, "session">> & {
    readonly session?: Session;
    readonly storage?: StorageBackend;
    readonly request?: TurnRequest;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Played> {
  const context = options.context ?? (await openContext({ storage, id: "talk" }));
  const model = overHttp(...says.map((said) => (typeof said === "string" ? said : JSON.stringify(said))));
  const loop = new DecisionLoop({ model, ...options, context, session: session ?? (await open()) });
  const run = await loop.run(request, signal === undefined ? {} : { signal });
  const events: TurnEvent[] = [];
  for await (const event of run) events.push(event);
  return { result: await run.result, events, context };
}

function all<T extends TurnEvent["type"]>(events: readonly TurnEvent[], type: T): Extract<TurnEvent, { type: T }>[] {
  return events.filter((event): event is Extract<TurnEvent, { type: T }> => event.type === type);
}
const violations = (events: readonly TurnEvent[]) =>
  all(events, "violation").map(({ violation: { code, isRed } }) => [code, isRed]);

describe("a turn", () => {
  test("searches, writes with what was found, fills its slot, and is complete", async () => {
    const session = await open();

    const { result, events, context } = await play(
      [
        decide("call_tool", "explore", {
          tool_call: { tool_id: "web_search", params: { query: "whales" }, out_artifacts_spec: [{ name: "hits" }] },
        }),
        calls("write", { content: "Whales [[S:1]]" }, "text", {
          fetch_context: [{ path: "current_turn.artifacts.hits[1]", param_name: "content" }],
        }),
        complete(maps("text.value.content")),
      ],
      { session },
    );

    expect(result).toMatchObject({
      exit: "complete",
      status: "success",
      ok: true,
      completion: "It is done.",
      error: null,
    });
    expect(result.usage).toMatchObject({ modelCalls: 3, toolCalls: 2 });
    const slot = result.slots.get("report");
    expect(slot?.text).toMatch(/^# Whales \[\[S:1\]\]\n\n\[\n/);
    expect(slot?.sids).toEqual([1]);
    const journalled = (await session.journal.list()).filter(({ namespace }) => namespace === "tools");
    expect(journalled.map(({ name, caller }) => [name, caller])).toEqual([
      ["web_search", "client"],
      ["write", "client"],
    ]);
    expect(slot?.provenance).toMatchObject({ toolId: "write", callId: journalled[1]?.id, round: 2 });
    expect(slot?.provenance?.lineage).toMatchObject([{ param: "content", path: "current_turn.artifacts.hits[1]" }]);
    expect(result.envelope).toMatchObject({
      ok: true,
      out: [{ resource_id: "slot:report", type: "inline", tool_id: "write", sources_used: [1] }],
      contract: REPORT,
      sources_pool: [{ sid: 1 }, { sid: 2 }],
      raw_files: { web_search: [journalled[0]?.id], write: [journalled[1]?.id] },
    });
    expect(all(events, "round-started").map(({ budgetState }) => /tools left \d\/\d/.exec(budgetState)?.[0])).toEqual([
      "tools left 5/5",
      "tools left 4/5",
      "tools left 3/5",
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
    expect(all(events, "call").map(({ entry }) => entry.outcome.kind)).toEqual(["pending", "ok", "pending", "ok"]);
    expect(context.currentTurn?.record.end).toMatchObject({ exit: "complete", status: "success" });
  });

  test("an invalid call goes back to the model with its code, and one round is spent (G79)", async () => {
    const { result, events } = await play([
      decide("call_tool", "explore", { tool_call: { params: {} } }),
      calls("serach", {}, "a"),
      calls("write", ["x"], "a"),
      calls("write", { content: "x" }, "text"),
      complete(maps("text")),
    ]);

    expect(violations(events)).toEqual([
      ["missing_tool_id", true],
      ["unknown_tool_id", true],
      ["bad_params", true],
    ]);
    const told = all(events, "round-ended").map((event) => event.told);
    expect(told[0]).toContain("RED missing_tool_id");
    expect(told[0]).toContain("decisions left 4/5, tools left 5/5");
    expect(told[2]).toContain("decisions left 2/5");
    expect(result).toMatchObject({ exit: "complete", usage: { toolCalls: 1 } });
  });

  test("what the tool does not take is dropped and told; a required one of a wrong type stops the call (G80, G81)", async () => {
    const { events, context } = await play([
      calls("write", { content: ["x"] }, "text"),
      calls("web_search", { query: "a", limit: "many", colour: "red" }, "hits"),
      decide("exit", "exit"),
    ]);

    expect(violations(events)).toEqual([
      ["type_mismatch", true],
      ["type_mismatch", false],
      ["unknown_param", false],
    ]);
    expect(context.currentTurn?.artifacts.map(({ id, provenance }) => [id, provenance.params])).toEqual([
      ["hits", { query: "a" }],
    ]);
  });

  test("a decision that looks at nothing ends the turn; one that looks is shown it for one round (G82)", async () => {
    const looking = decide("decision", "explore", { show_artifacts: ["current_turn.artifacts.text.value.content"] });

    const seen = await play([calls("write", { content: "x" }, "text"), looking, decide("decision", "explore")]);

    expect(seen.result.exit).toBe("decision_no_progress");
    const exhausted = await play(
      [calls("write", { content: "x" }, "text"), looking, looking, looking, looking, "Nothing."],
      {
        request: { prompt: "Look.", contract: REPORT, budgets: { report: { exploit: 9 } } },
      },
    );
    expect(exhausted.result.exit).toBe("wrapup_no_decision_rerun");
    const shown = all(exhausted.events, "round-ended").map(({ told }) => told.split("\n")[0]);
    // The model is told nothing in the round that leaves, nor after the one for mapping.
    expect(shown).toEqual(["write: ok. Made text", "Shown below.", "Shown below.", "Shown below.", "", ""]);
  });

  test("rounds used up and exploit left: only exploit with call_tool goes on (G83)", async () => {
    const request = { prompt: "Go.", contract: REPORT, budgets: { report: { explore: 1, exploit: 1 } } };
    const explore = decide("call_tool", "explore", {
      tool_call: { tool_id: "web_search", params: { query: "a" }, out_artifacts_spec: [{ name: "hits" }] },
    });

    const blocked = await play([explore, explore, decide("call_tool", "render")], { request });
    const allowed = await play(
      [explore, explore, calls("write", { content: "x" }, "text"), decide("exit", "exit", maps("text"))],
      { request },
    );

    expect(blocked.result.exit).toBe("exploit_overdraft_blocked");
    expect(all(blocked.events, "round-started").map(({ isOverdraft }) => isOverdraft)).toEqual([false, false, true]);
    // The overdraft made it, the wrap-up mapped it.
    expect(allowed.result).toMatchObject({ exit: "max_iterations", status: "success", ok: true });
    expect(all(allowed.events, "wrap-up")).toHaveLength(1);
  });

  test("leaving with an open slot and something that could fill it gives one round for mapping (G84)", async () => {
    const { result, events } = await play([
      calls("write", { content: "x" }, "text"),
      decide("exit", "exit"),
      decide("call_tool", "exploit", { ...maps("text.value.content"), tool_call: { tool_id: "write" } }),
    ]);

    expect(all(events, "wrap-up").map(({ openSlots }) => openSlots)).toEqual([["report"]]);
    expect(result).toMatchObject({ exit: "complete", ok: true, usage: { toolCalls: 1 } });
    expect(result.slots.get("report")?.text).toBe("# x");
  });

  test("complete with an unfilled slot is not ok, and lists what is missing (G85)", async () => {
    const { result } = await play([complete()]);

    expect(result).toMatchObject({
      exit: "incomplete_contract",
      ok: false,
      status: "failed",
      missingSlots: ["report"],
    });
    expect(result.envelope).toMatchObject({
      ok: false,
      error: {
        error: "incomplete_contract",
        description: "Contract incomplete: 1 of 1 slots not filled",
        details: { contract_validation: { declared_slots: ["report"], filled_slots: [], missing_slots: ["report"] } },
      },
    });
  });

  test("the same invalid call three times ends the turn with its violation (G86)", async () => {
    const wrong = calls("write", { content: 1.5, more: [1] }, "text");
    const invalid = calls("serach", {}, "a");

    const { result, events } = await play([invalid, wrong, invalid, invalid]);

    expect(result).toMatchObject({ exit: "protocol_violation", error: { error: "unknown_tool_id" } });
    expect(all(events, "round-started").length).toBeLessThanOrEqual(5);
  });

  test("what the round makes is refused for mapping in it, and told with the reason (G75)", async () => {
    const { events } = await play([calls("write", { content: "x" }, "text", maps("text")), complete(maps("text"))]);

    expect(all(events, "mapping-refused")).toMatchObject([{ slotName: "report", reason: "future_artifact" }]);
    expect(all(events, "round-ended")[0]?.told).toContain("report refused: future_artifact");
    expect(all(events, "slot-filled").map(({ slot }) => slot.text)).toEqual(['{\n  "content": "# x"\n}']);
  });

  test("what is no decision is asked for again, twice; a wrong strategy with a summary ends the turn", async () => {
    const spoken = await play(["Let me think.", "Well…", "I cannot."]);
    const summed = await play([{ action: "complete", strategy: "done", completion_summary: "All said." }]);

    expect(spoken.result.exit).toBe("decision_reruns_exhausted");
    expect(spoken.result.usage.modelCalls).toBe(3);
    expect(summed.result).toMatchObject({ exit: "incomplete_contract", completion: "All said." });
  });

  test("the user is asked, and a turn that promises nothing needs no tool", async () => {
    const asked = await play([decide("clarify", "exit", { clarification_questions: ["Which year?"] })]);
    const words = await play([complete()], { request: { prompt: "Hello!", contract: {} } });

    expect(asked.result).toMatchObject({ exit: "clarify", clarificationQuestions: ["Which year?"], ok: false });
    expect(asked.result.envelope).toMatchObject({ clarification_questions: ["Which year?"] });
    expect(words.result).toMatchObject({ exit: "complete", status: "llm_only", ok: true, completion: "It is done." });
  });

  test("the contract is asked of the model in one call where nobody says it, with budgets", async () => {
    const contract = { slots: REPORT, budgets: { report: { explore: 1, exploit: 1 } } };
    const writes = {
      ...decide("call_tool", "exploit"),
      tool_call: { tool_id: "write", params: { content: "x" }, out_artifacts_spec: [{ name: "text" }] },
    };
    // The server counts what was said in a conversation: this is the first reply of both.
    const first = { ...contract, ...writes };
    const request = { prompt: "Sum it up." };

    const agreed = await play([first, complete(maps("text"))], { request });
    const refused = await play([{ slots: { report: { type: "poem" } } }], { request });

    expect(all(agreed.events, "contract")).toMatchObject([{ from: "model" }]);
    expect(all(agreed.events, "round-started")[0]?.budgetState).toContain("decisions left 2/2");
    expect(agreed.result).toMatchObject({ ok: true, usage: { modelCalls: 3, toolCalls: 1 } });
    expect(refused.result).toMatchObject({ exit: "invalid_contract", error: { error: "invalid_artifact_spec" } });
  });

  test("a tool that fails leaves its error in the context and in what the model is told", async () => {
    const { result, events, context } = await play([
      calls("web_search", { query: "fail" }, "hits"),
      decide("exit", "exit"),
    ]);

    expect(all(events, "artifact-made")[0]?.artifact.error?.description).toContain("Nothing there.");
    expect(all(events, "round-ended")[0]?.told).toContain("ERROR [TOOL_CALL]");
    expect(context.fetch("current_turn.artifacts.hits.text").ret).toBe("");
    expect(result.exit).toBe("incomplete_contract");
  });
});

describe("limits and stops", () => {
  test("the task's budget ends the turn, and what was made is kept", async () => {
    const says = [calls("write", { content: "x" }, "text"), calls("write", { content: "y" }, "text"), complete()];

    const byModel = await play(says, { budget: { modelCalls: 1 } });
    const byTools = await play(says, { budget: { toolCalls: 1 } });

    expect(byModel.result).toMatchObject({ exit: "budget_reached", error: { error: "BUDGET_REACHED" }, ok: false });
    expect(all(byModel.events, "limit")).toMatchObject([{ kind: "modelCalls", limit: 1 }]);
    expect(byTools.result).toMatchObject({ exit: "budget_reached", usage: { toolCalls: 1 } });
    expect(byTools.context.currentTurn?.artifacts.map(({ text }) => text)).toHaveLength(1);
  });

  test("a stop in the middle of a call keeps everything, in storage too, and the turn is taken up again after a reload", async () => {
    const name = freshName();
    const storage = indexedDBStorage(name);
    const stop = new AbortController();
    let stopped: Value = null;
    const slow = functionTool({
      name: "slow",
      description: "Waits.",
      input: z.object({}),
      hints: { readOnly: true },
      run: (_args, { signal }) =>
        new Promise<Value>((resolve) => {
          signal.addEventListener("abort", () => {
            stopped = "told";
            resolve(null);
          });
          stop.abort();
        }),
    });
    const session = await open({ tools: [webSearch, write, slow] });

    const first = await play([calls("write", { content: "x" }, "text"), calls("slow", {}, "late")], {
      session,
      storage,
      signal: stop.signal,
    });
    storage.close();
    const context = await openContext({ storage: indexedDBStorage(name), id: "talk" });
    const turnId = context.currentTurn?.record.id ?? "";

    expect(first.result).toMatchObject({ exit: "cancelled", ok: false });
    expect(stopped).toBe("told");
    expect(context.turn(turnId)).toEqual(first.context.turn(turnId));
    expect(context.turn(turnId).record.end).toMatchObject({ exit: "cancelled" });
    expect(context.turn(turnId).artifacts.map(({ id, error }) => [id, error === null])).toEqual([
      ["text", true],
      ["late", false],
    ]);

    const second = await play([complete(maps("text.value.content"))], { session, context, request: { turnId } });

    expect(second.result).toMatchObject({ exit: "complete", ok: true, turnId });
    expect(all(second.events, "round-started")[0]?.step).toBe(3);
  });

  test("a call that a person refuses is told, and while they think the turn's clock stands still", async () => {
    const leap = leapingClock();
    const session = await open({
      approvals: { "tools.write": "ask" },
      onApproval: () => {
        leap(AN_HOUR);
        return { decision: "deny", reason: "Not today." };
      },
    });

    const { result, events } = await play([calls("write", { content: "x" }, "text"), decide("exit", "exit")], {
      session,
      budget: { time: AN_HOUR },
    });

    expect(all(events, "round-ended")[0]?.told).toContain("Not today.");
    expect(result.elapsed).toBeGreaterThanOrEqual(AN_HOUR);
    expect(result.usage.time).toBeLessThan(AN_HOUR);
  });
});

describe("a program in a turn", () => {
  test("codegen counts as one call, and its program sees slots and artifacts of the turn (G93)", async () => {
    const session = await open({ timeout: null });
    const context = await openContext({ storage: memoryStorage(), id: "talk" });
    const code = [
      'slot = ctx_tools.fetch_ctx("current_turn.slots.report.text")',
      'found = ctx_tools.fetch_ctx("current_turn.artifacts.hits[2]")',
      'refused = ctx_tools.fetch_ctx("current_turn.slots.report.value")',
      'rows = web_search(query="inside")',
      "text = f\"{slot['ret']} / {found['ret'][0]['url']} / {refused['err']['code']} [[S:{rows[0]['url'] and 1}]]\"",
      'set_progress(artifact={"name": "summary", "type": "inline", "value": text})',
      "done()",
    ].join("\n");
    const model = dictated(files(code));
    const { fetch: fetchContext, workSoFar } = context;
    session.tools.register(codegenTool({ session, model, fetchContext, workSoFar }));
    const source = 'def run() -> int:\n    """Clean it."""\n    return 1\n';
    await session.skills.create({ name: "clean", source, description: "Clean it." });
    const contract = { summary: { type: "inline", format: "text", description: "" } };
    const more = { ...REPORT, summary: { type: "inline", format: "text", description: "In short." } };

    const { result, events } = await play(
      [
        calls("web_search", { query: "whales" }, "hits"),
        calls("write", { content: "x" }, "text"),
        decide("call_tool", "exploit", {
          focus_slot: "summary",
          ...maps("text.value.content"),
          show_artifacts: ["current_turn.artifacts.hits.value"],
          show_skills: ["clean"],
          tool_call: { tool_id: "codegen_python", params: { output_contract: contract, instruction: "Do it." } },
        }),
        complete({ map_slots: [{ slot_name: "summary", source_path: "current_turn.artifacts.summary" }] }),
      ],
      { session, context, request: { prompt: "Go.", contract: more } },
    );

    expect(result.error).toBeNull();
    expect(result.slots.get("summary")?.text).toBe("# x / https://two.example/ / invalid_slot_value_access [[S:1]]");
    // Four decisions, and what codegen asked its own model. The budget counts the search of its program, too.
    expect(result.usage).toMatchObject({ toolCalls: 4, modelCalls: 5 });
    // What the decision shows, and what was done before, the writer of the program is told too; afterwards nobody is.
    const told = (model.requests[0]?.messages ?? []).map(messageText).join("\n");
    expect(told).toContain("## Context\nUSER: Go.");
    expect(told).toMatch(/DONE BEFORE:\n- round 1: call_tool web_search → hits@1[^]*FILLED: report ←/);
    expect(told).toMatch(/SHOWN[^]*"url": "https:\/\/two\.example\/"[^]*--- skill clean\nClean it\.\ndef run\(\)/);
    expect(workSoFar()).toBe("");
    const { provenance } = result.slots.get("summary") ?? {};
    const inner = all(events, "call").filter(({ parentId }) => parentId === provenance?.callId);
    expect(provenance?.innerCallIds.length).toBeGreaterThan(0);
    expect(inner.map(({ entry }) => entry.name)).toContain("web_search");
  });

  test("whose page goes while it works leaves its artifacts with an unknown outcome, and its calls by the journal", async () => {
    const storage = memoryStorage();
    const session = await open({ storage, timeout: null });
    const code = 'web_search(query="inside")\nset_progress(status="Waiting")\nwhile True: await asyncio.sleep(0.01)';
    const stop = new AbortController();
    let disk: StorageBackend | undefined;
    session.tools.register(
      codegenTool({
        session,
        model: dictated(files(code)),
        onEvent: ({ type }) => {
          if (type !== "progress") return;
          // What a page finds that comes back now.
          void session.journal
            .list()
            .then(() => copyOf(storage))
            .then((copy) => {
              disk = copy;
              stop.abort();
            });
        },
      }),
    );
    const contract = { report: { type: "inline", format: "markdown", description: "" } };
    const asks = { tool_id: "codegen_python", params: { output_contract: contract, instruction: "Do it." } };
    const gone = await play([decide("call_tool", "exploit", { tool_call: asks })], {
      session,
      storage,
      signal: stop.signal,
    });

    const next = await open({ storage: disk ?? storage });
    const context = await openContext({ storage: disk ?? storage, id: "talk" });
    const { turnId } = gone.result;
    const { result } = await play([complete(maps("report"))], { session: next, context, request: { turnId } });

    const [artifact] = context.turn(turnId).artifacts;
    expect(artifact).toMatchObject({
      id: "report",
      error: { where: "codegen_python", error: "OUTCOME_UNKNOWN" },
      provenance: { toolId: "codegen_python", round: 1 },
    });
    expect(artifact?.error?.description).toMatch(/Calls in its course: .*web_search \(ended\)/);
    expect(context.turn(turnId).record.rounds[0]).toMatchObject({
      toolId: "codegen_python",
      callId: artifact?.provenance.callId,
      artifacts: ["report@1"],
    });
    expect(result).toMatchObject({ exit: "incomplete_contract", missingSlots: ["report"] });
  });
});
