import { CallNotAllowedError } from "../../dispatch/index.js";
import { messageOf, VitrineError } from "../../protocol/index.js";
import type { ObserveTool } from "../../session/index.js";
import { unifiedDifference } from "../../difference/index.js";
import type { AgentKind, TrialAccess } from "../work/agent-kind.js";
import type { Conversation } from "../conversation/conversation.js";
import type { AgentStep } from "../events/events.js";
import type { ModelCaller } from "../work/model-caller.js";
import { StepInProgress, type StepLog } from "../work/step.js";
import type { Work } from "../work/work.js";
import type { LearnedSkill, SkillOutcome, SkillProposal, SkillTrial } from "../events/learned-skill.js";
import { parseProposal, type ProposedSkill } from "./parse-proposal.js";
import { PROPOSE_TEXT, repairText } from "./prompts.js";
import { ToolRecord } from "./tool-record.js";
import { checkSkill } from "./try-skill.js";
import { trialNotes } from "./trial-notes.js";

/** How often the model may propose: a second time where the first proposal did not pass its check. */
const ATTEMPTS = 2;

/** A task that has its answer. */
export interface SolvedTask {
  readonly steps: readonly AgentStep[];
  /** What was said in it. It is left as it is. */
  readonly conversation: Conversation;
  readonly caller: ModelCaller;
  /** Stops the learning; the task keeps its answer. */
  readonly signal: AbortSignal;
}

/** Why nothing is learned. */
class LearningFault extends VitrineError {
  override readonly name = "LearningFault";

  constructor(
    readonly code: "SKILL_TRIAL_UNAVAILABLE",
    message: string,
  ) {
    super(message);
  }
}

/**
 * After a task that has its answer: asks the model whether what it did is worth a skill, checks what it proposes, and has
 * it saved where a person, or the rules, agree.
 */
export class SkillLearning {
  readonly #work: Work;
  readonly #kind: AgentKind;
  readonly #record: ToolRecord;
  #proposal: SkillProposal | null = null;
  #trial: SkillTrial | null = null;
  #problems: readonly string[] = [];

  /** @param isResumed - whether the task has begun before: nobody heard its calls of then. */
  constructor(work: Work, kind: AgentKind, { isResumed }: { readonly isResumed: boolean }) {
    this.#work = work;
    this.#kind = kind;
    this.#record = new ToolRecord({ isPartial: isResumed });
  }

  /** Is to hear the task's calls of tools. */
  get observe(): ObserveTool {
    return this.#record.observe;
  }

  /** Never rejects: what goes wrong is an outcome. Null where the task did nothing that could be a skill. */
  async learn(task: SolvedTask): Promise<LearnedSkill | null> {
    if (this.#record.size === 0 && task.steps.every(({ run }) => run === null)) return null;
    let outcome: SkillOutcome;
    try {
      outcome = await this.#ask(task);
    } catch (error) {
      outcome = this.#failure(error, task.signal);
    }
    const learned: LearnedSkill = { proposal: this.#proposal, trial: this.#trial, outcome };
    this.#work.log.add({ type: "skill-ended", ...this.#ids, learned });
    return learned;
  }

  async #ask({ conversation, caller, signal }: SolvedTask): Promise<SkillOutcome> {
    signal.throwIfAborted();
    const { log } = this.#work;
    const access = this.#kind.learning ?? null;
    if (access === null) {
      throw new LearningFault(
        "SKILL_TRIAL_UNAVAILABLE",
        "The agent's session cannot try a skill: it has no `openTrial` or no `client`. Give the agent a Session.",
      );
    }
    const talk = conversation.fork();
    let prompt = PROPOSE_TEXT;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      talk.say(prompt);
      log.add({ type: "skill-asked", ...this.#ids, attempt, told: prompt });
      const step = new StepInProgress(this.#stepLog, attempt);
      const reply = await caller.ask(step, talk, { temperature: 0 });
      const parsed = parseProposal(reply);
      if (parsed.kind === "none") return this.#none(parsed.reason);
      this.#problems =
        parsed.kind === "bad" ? [parsed.problem] : await this.#check(parsed.proposal, { access, signal });
      if (this.#problems.length === 0 && this.#proposal !== null) return this.#save(this.#proposal, { access, signal });
      const said = reply.text.trim() === "" ? "(no reply)" : reply.text;
      talk.addStep({ kind: "step", reply: { role: "assistant", content: said }, told: [] });
      prompt = repairText(this.#problems);
    }
    return { kind: "rejected", problems: this.#problems };
  }

  /** A model that was told what is wrong and gives up has not seen "no skill", but a skill that did not pass. */
  #none(reason: string): SkillOutcome {
    return this.#problems.length > 0 ? { kind: "rejected", problems: this.#problems } : { kind: "none", reason };
  }

  /** What is wrong with it. */
  async #check(
    proposed: ProposedSkill,
    { access, signal }: { readonly access: TrialAccess; readonly signal: AbortSignal },
  ): Promise<readonly string[]> {
    const { log } = this.#work;
    this.#trial = null;
    const { trial, problems } = await checkSkill(proposed, {
      openTrial: (options) => access.openTrial(options),
      tools: await access.tools(),
      record: this.#record,
      imports: access.imports,
      signal,
      onRead: (replaces) => {
        const difference = unifiedDifference(replaces, proposed.source);
        this.#proposal = { ...proposed, replaces, difference };
        log.add({ type: "skill-proposed", ...this.#ids, proposal: this.#proposal });
      },
    });
    this.#trial = trial;
    log.add({ type: "skill-tried", ...this.#ids, trial, problems });
    return problems;
  }

  /** By the session's own `skills.create`: rules, person and journal are those of every other call of the task. */
  async #save(
    { name, source, replaces }: SkillProposal,
    { access, signal }: { readonly access: TrialAccess; readonly signal: AbortSignal },
  ): Promise<SkillOutcome> {
    if (replaces === source) return { kind: "unchanged" };
    const { log, meter } = this.#work;
    const calls = access.openCalls({
      policy: () => ({ kind: "allow" }),
      onPause: () => meter.pause(),
      onCall: (entry) => {
        log.add({ type: "call", id: entry.id, parentId: this.#ids.id, step: null, entry });
      },
    });
    try {
      const task = this.#work.at(this.#ids.id);
      const notes = this.#trial === null ? [] : trialNotes(this.#trial);
      const { version } = await calls.createSkill({ name, source }, { signal, task, notes });
      return { kind: "saved", version };
    } catch (error) {
      if (error instanceof CallNotAllowedError) return { kind: "declined", reason: error.reason };
      throw error;
    } finally {
      calls.close();
    }
  }

  #failure(error: unknown, signal: AbortSignal): SkillOutcome {
    if (signal.aborted) return { kind: "stopped" };
    const reason = messageOf(error);
    return { kind: "failed", code: error instanceof VitrineError ? error.code : "INTERNAL", reason };
  }

  /** What the model says here belongs to no step of the task. */
  get #stepLog(): StepLog {
    const { log } = this.#work;
    return {
      taskId: this.#ids.id,
      get events() {
        return log.events;
      },
      add: (event) => {
        log.add({ ...event, step: null });
      },
    };
  }

  get #ids(): { readonly id: string; readonly parentId: string; readonly step: null } {
    const { taskId } = this.#work.log;
    return { id: `${taskId}/skill`, parentId: taskId, step: null };
  }
}
