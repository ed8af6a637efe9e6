import type { AgentEvent, LearnedSkill, SkillOutcome, SkillProposal, SkillTrial } from "../../../agent/index.js";

type LearningEvent = Extract<AgentEvent, { type: "skill-asked" | "skill-proposed" | "skill-tried" | "skill-ended" }>;

/** How far the question is whether a task's work is worth a skill. */
export interface SkillLearning {
  readonly state: "asking" | "trying" | "tried" | "ended";
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly proposal: SkillProposal | null;
  readonly trial: SkillTrial | null;
  /** What was wrong with the last proposal. */
  readonly problems: readonly string[];
  /** What the model said, whole, where that is of interest. */
  readonly replies: readonly string[];
  /** Null until the end. */
  readonly outcome: LearnedSkill["outcome"] | null;
}

/** What an event makes of it. */
export function learningAfter(before: SkillLearning | null, event: LearningEvent): SkillLearning {
  const known: SkillLearning = before ?? {
    state: "asking",
    startedAt: event.time,
    proposal: null,
    trial: null,
    problems: [],
    replies: [],
    outcome: null,
  };
  switch (event.type) {
    case "skill-asked":
      return { ...known, state: "asking" };
    case "skill-proposed":
      return { ...known, state: "trying", proposal: event.proposal, trial: null, problems: [] };
    case "skill-tried":
      return { ...known, state: "tried", trial: event.trial, problems: event.problems };
    case "skill-ended":
      return { ...known, state: "ended", ...event.learned };
  }
}

/** With what the model said. */
export function learningHeard(before: SkillLearning, reply: string): SkillLearning {
  return { ...before, replies: [...before.replies, reply] };
}

/** What is going on, or how it ended, in a sentence. */
export function learningText({ state, proposal, problems, outcome }: SkillLearning): string {
  const skill = proposal === null ? "The skill" : `The skill ${proposal.name}`;
  if (outcome !== null) return outcomeText(outcome, skill);
  switch (state) {
    case "trying":
      return `${skill} is tried in a sealed interpreter.`;
    case "tried":
      return problems.length === 0 ? `${skill} passed its check.` : `${skill} did not pass its check.`;
    default:
      return problems.length === 0
        ? "The model is asked whether this is worth a skill."
        : `${skill} did not pass its check; the model is asked to mend it.`;
  }
}

function outcomeText(outcome: SkillOutcome, skill: string): string {
  switch (outcome.kind) {
    case "none":
      return "The model proposes no skill.";
    case "saved":
      return `${skill} is saved: version ${String(outcome.version)}.`;
    case "unchanged":
      return `${skill} is there already, word for word.`;
    case "declined":
      return `${skill} is not saved: ${outcome.reason}.`;
    case "rejected":
      return `${skill} is not saved: it did not pass its check.`;
    case "failed":
      return `No skill is saved. ${outcome.reason}`;
    case "stopped":
      return "Stopped: no skill is saved.";
  }
}
