import type { AgentName, OpenStep, TokenUsage } from "../../../agent/index.js";
import type { ModelToolCall } from "../../../model/index.js";
import type { RunResult } from "../../../session/index.js";
import { OutputLog } from "../text/output-log.js";
import { CallList } from "./call-list.js";
import type { ProgramView } from "./program-view.js";

/** What the code asked the person. */
export interface AskedQuestion {
  /** That of its event. */
  readonly id: string;
  readonly question: string;
  /** Null while it is waited for. */
  readonly answer: string | null;
}

/** A step as the page draws it; `Task` is what it draws of agents that its calls are. `version` grows with every change. */
export class StepView<Task> implements OpenStep {
  version = 0;
  reply = "";
  reasoning = "";
  /** The tool calls that the model asked for beside its text. */
  toolCalls: readonly ModelToolCall[] = [];
  code: string | null = null;
  ignoredBlocks = 0;
  readonly calls = new CallList<Task, ProgramView<Task>>();
  readonly output = new OutputLog();
  readonly notices: string[] = [];
  /** What the code asked the person, by the id of the question. */
  readonly questions = new Map<string, AskedQuestion>();
  /** Ids of questions that the person does not answer. */
  readonly refused = new Set<string>();
  run: RunResult | null = null;
  /** What the model is told of it; null before that, and where it is told nothing more. */
  observation: string | null = null;
  usage: TokenUsage | null = null;
  readonly agent: AgentName;
  /** Whether its task came from a file. */
  readonly isImported: boolean;
  state: "asking" | "running" | "ended" = "asking";
  endedAt: number | null = null;
  /** Whether it is shown whole where the steps of a task that is over are a line each. */
  isUnfolded = false;

  /** What its code waits for the person to say. */
  get asked(): AskedQuestion | undefined {
    return [...this.questions.values()].find((asked) => this.waitsFor(asked));
  }

  /** Whether its code waits for the answer to that. */
  waitsFor({ id, answer }: AskedQuestion): boolean {
    return answer === null && this.state !== "ended" && !this.refused.has(id);
  }

  constructor(
    readonly number: number,
    /** Milliseconds since 1970. */
    readonly startedAt: number,
    { agent, isImported }: { readonly agent: AgentName; readonly isImported: boolean },
  ) {
    this.agent = agent;
    this.isImported = isImported;
  }
}
