import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { agentTool, CodeAgent, type AgentRun, type AgentToolOptions } from "../../../src/agent/index.js";
import { codegenTool } from "../../../src/codegen/index.js";
import type { ApprovalRequest } from "../../../src/dispatch/index.js";
import { Session, type ChildSession } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { all, calls, complete, decide, maps, play, REPORT, scripted } from "../../unit/turn-loop/turns.js";
import { dictated, files } from "../codegen/programs.js";

const F = "```";
const block = (...lines: string[]): string => [`${F}python`, ...lines, F].join("\n");

const looked: string[] = [];
const look = functionTool({
  name: "look",
  description: "Looks something up.",
  input: z.object({ what: z.string() }),
  run: ({ what }) => looked.push(what),
});

const opened: Session[] = [];
afterEach(async () => {
  looked.splice(0);
  await Promise.all(opened.splice(0).map((session) => session.close()));
});

interface Opened {
  readonly session: Session;
  /** The tasks of the agent `reader`, and the sessions that they are solved in. */
  readonly runs: readonly AgentRun[];
  readonly sessions: readonly ChildSession[];
  readonly asked: readonly ApprovalRequest[];
}

/** A session whose `reader` says these things, and whose programs are this one. */
async function openWith(
  { replies, code = [] }: { readonly replies: readonly string[]; readonly code?: readonly string[] },
  options: Partial<AgentToolOptions> = {},
): Promise<Opened> {
  const runs: AgentRun[] = [];
  const sessions: ChildSession[] = [];
  const asked: ApprovalRequest[] = [];
  const session = await Session.open({
    storage: memoryStorage(),
    trust: "local",
    tools: [look],
    timeout: null,
    approvals: { "tools.look": "ask" },
    onApproval: (request) => {
      asked.push(request);
      return { decision: "allow" };
    },
  });
  opened.push(session);
  session.tools.register(codegenTool({ session, model: dictated(files(code.join("\n"))), repairs: 0 }));
  session.tools.register(
    agentTool({
      name: "reader",
      description: "Reads.",
      session,
      storage: "parent",
      trust: "local",
      hints: { readOnly: true },
      agent: (child) => {
        sessions.push(child);
        return new CodeAgent({ session: child, model: scripted("reader", ...replies) });
      },
      onRun: (run) => runs.push(run),
      ...options,
    }),
  );
  return { session, runs, sessions, asked };
}

const program = decide("call_tool", "exploit", {
  tool_call: { tool_id: "codegen_python", params: { output_contract: REPORT, instruction: "Do it." } },
});
const report = (value: string): string[] => [
  `set_progress(artifact={"name": "report", "type": "inline", "value": ${value}})`,
  "done()",
];

describe("agents that are called in a turn", () => {
  test("are in its tree: their events are among its own, and who is asked sees the way to them", async () => {
    const { session, runs, asked } = await openWith({
      replies: [block("tools.look(what='it')", "final_answer('read')")],
    });
    const model = scripted("model", calls("reader", { task: "Read." }, "text"), complete(maps("text")));

    const { result, events } = await play({ session, model });

    expect(result.slots.get("report")?.text).toBe("read");
    const [run] = runs;
    const call = all(events, "call").find(({ entry }) => entry.name === "reader");
    expect(all(events, "task-started")).toMatchObject([{ taskId: run?.taskId, parentId: call?.id }]);
    expect(all(events, "task-ended").map(({ taskId }) => taskId)).toEqual([run?.taskId]);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
    // The agent tells of its own calls, and the turn does not do so once more.
    const inner = all(events, "call").filter(({ entry }) => entry.name === "look");
    expect(new Set(inner.map(({ taskId }) => taskId))).toEqual(new Set([run?.taskId]));
    expect(inner.filter(({ entry }) => entry.outcome.kind === "ok")).toHaveLength(1);
    const path = asked.find(({ name }) => name === "tools.look")?.path;
    expect(path?.map(({ name, taskId }) => [name, taskId])).toEqual([
      ["turn", events[0]?.taskId],
      ["reader", run?.taskId],
    ]);
  });

  test("are only so many in one turn, also where a program calls them, and go only so deep", async () => {
    const code = [
      'first = reader(task="One")',
      "try:",
      '    reader(task="Two")',
      "except Exception as error:",
      "    second = str(error)",
      ...report('f"{first} / {second}"'),
    ];
    const deeper = ["try:", "    tools.reader(task='x')", "except Exception as error:", "    final_answer(str(error))"];
    // As strong as the program that calls it.
    const options = { spread: { perTask: 1, depth: 1 }, trust: "sandboxed" } as const;
    const { session, runs } = await openWith({ replies: [block(...deeper)], code }, options);

    const { result } = await play({ session, model: scripted("model", program, complete(maps("report"))) });

    expect(runs).toHaveLength(1);
    const text = result.slots.get("report")?.text ?? "";
    expect(text).toMatch(/1 agents are inside one another here[^/]* \/ .*this task has had 1 of them/);
  });

  test("have ended, with their sessions closed, when a turn that was stopped ends", async () => {
    const stop = new AbortController();
    const { session, sessions } = await openWith(
      { replies: [block("import time", "time.sleep(60)")] },
      {
        onRun: (run) => {
          void (async () => {
            for await (const { type } of run) if (type === "code") stop.abort();
          })();
        },
      },
    );
    const model = scripted("model", calls("reader", { task: "Read." }, "text"));

    const { result } = await play({ session, model, signal: stop.signal });

    expect(result.exit).toBe("cancelled");
    expect(sessions).toHaveLength(1);
    expect((await sessions[0]!.run("1")).error).toMatchObject({ code: "SESSION_CLOSED" });
  });
});

test("what a program calls counts in the turn's budget of tool calls, and ends it (G59)", async () => {
  const code = [
    "for what in ['one', 'two', 'three']:",
    "    try:",
    "        look(what=what)",
    "    except Exception as error:",
    "        print(error)",
    ...report('"all"'),
  ];
  const { session } = await openWith({ replies: [], code });
  const model = scripted("model", program, complete(maps("report")));

  const { result, events } = await play({ session, model, budget: { toolCalls: 3 } });

  expect(looked).toEqual(["one", "two"]);
  expect(result).toMatchObject({ exit: "budget_reached", usage: { toolCalls: 3, modelCalls: 2 } });
  expect(all(events, "limit")).toMatchObject([{ kind: "toolCalls", limit: 3 }]);
});
