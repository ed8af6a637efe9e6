import { taskWork, type AgentEvent, type AgentResult, type EventBody, type Work } from "../../../src/agent/index.js";
import type { ApprovalRequest, JournalEntry } from "../../../src/dispatch/index.js";

export const USAGE = {
  modelCalls: 1,
  toolCalls: 0,
  inputTokens: 90,
  outputTokens: 10,
  isEstimated: false,
  time: 5,
  money: null,
};

export function journalEntry(id: string, part: Partial<JournalEntry> = {}): JournalEntry {
  return {
    id,
    sessionId: "s",
    runId: "r",
    parent: null,
    caller: "code",
    namespace: "tools",
    name: "assistant",
    arguments: {},
    trust: "sandboxed",
    startedAt: 0,
    outcome: { kind: "pending" },
    ...part,
  };
}

export function approvalRequest(part: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    name: "tools.send_mail",
    arguments: { text: "Hello" },
    hints: {},
    caller: "agent",
    inAgentRun: true,
    path: [{ name: "code", taskId: "task-1", callId: null }],
    runId: "run-1",
    callId: "call-9",
    trust: "sandboxed",
    reason: "The session asks before every call of tools.send_mail.",
    foreign: null,
    ...part,
  };
}

/** A task of which a test reports what happens. */
export class ReportedTask {
  readonly work: Work;
  #step = 0;

  /** @param inside - the task, and its call, that this one is solved for. */
  constructor(task: string, inside?: { readonly of: ReportedTask; readonly callId: string }) {
    this.work = taskWork({
      agent: "code",
      budget: {},
      prices: undefined,
      inside:
        inside === undefined
          ? undefined
          : {
              name: "assistant",
              callId: inside.callId,
              caller: inside.of.caller,
              meter: inside.of.work.meter,
              agents: inside.of.work.agents,
              depthLeft: 1,
            },
    });
    const { taskId, parentId } = this.work.log;
    const model = { name: "small", kind: "openai" };
    const begun = { agent: "code", model, maxSteps: 4, budget: { modelCalls: 6 }, after: null, before: [] } as const;
    this.add({ type: "task-started", id: taskId, parentId, step: null, task, ...begun });
  }

  get events(): readonly AgentEvent[] {
    return this.work.log.events;
  }

  get taskId(): string {
    return this.work.log.taskId;
  }

  get #code(): string {
    return `${this.taskId}/${String(this.#step)}/code`;
  }

  /** Where the code of the latest step calls tools. */
  get caller(): ReturnType<Work["at"]> {
    return this.work.at(this.#code);
  }

  add(event: EventBody): void {
    this.work.log.add(event);
  }

  /** A step begins, with its code. */
  step(code: string): void {
    this.#step += 1;
    const id = `${this.taskId}/${String(this.#step)}`;
    const place = { parentId: this.taskId, step: this.#step };
    this.add({ type: "step-started", id, ...place, callsRunId: null });
    this.add({ type: "model-text", id: `${id}/reply`, ...place, text: "I go on." });
    this.add({ type: "code", id: this.#code, parentId: id, step: this.#step, code, runId: "r", ignoredBlocks: 0 });
  }

  /** A person says something while it goes on. */
  say(text: string): void {
    const id = `${this.taskId}/said/${text}`;
    this.add({ type: "user-message", id, parentId: this.taskId, step: null, text });
  }

  call(entry: JournalEntry): void {
    this.add({ type: "call", id: entry.id, parentId: this.#code, step: this.#step, entry });
  }

  endStep(observation: string | null = null): void {
    const id = `${this.taskId}/${String(this.#step)}`;
    const place = { id, parentId: this.taskId, step: this.#step };
    const told = observation === null ? [] : [{ role: "user" as const, content: observation }];
    const remembered = { kind: "step" as const, reply: { role: "assistant" as const, content: "I go on." }, told };
    this.add({ type: "step-ended", ...place, run: null, observation, remembered, usage: USAGE });
  }

  end(text: string): void {
    const answer = { value: text, text, verifiedBy: null, source: "normal" } as const;
    const id = `${this.taskId}/${String(this.#step)}`;
    this.add({ type: "answer", id: `${id}/answer`, parentId: id, step: this.#step, answer });
    this.endStep();
    const { taskId, parentId } = this.work.log;
    const result: AgentResult = {
      taskId,
      task: "",
      state: "completed",
      output: text,
      answer,
      error: null,
      steps: [],
      signals: [],
      usage: USAGE,
      elapsed: 7,
    };
    this.add({ type: "task-ended", id: taskId, parentId, step: null, result });
    this.work.log.end();
  }
}
