import type { Value } from "../../protocol/index.js";

/** A skill that the model proposes after its task. Model-written code: it is tried in a sealed interpreter alone. */
export interface SkillProposal {
  readonly name: string;
  readonly source: string;
  /** When it is of use, as the model says. */
  readonly reason: string;
  /** With which it is tried. */
  readonly arguments: Readonly<Record<string, Value>>;
  /** The source that it would replace; null where there is no skill of that name. */
  readonly replaces: string | null;
  /** What it changes, as `diff -u` writes it. */
  readonly difference: string;
}

/** A call that a skill made in its trial. */
export interface TriedCall {
  /** `tools.weather`, `tools.github.get_repo`. */
  readonly name: string;
  /** As JSON, long ones cut. */
  readonly arguments: string;
  /**
   * How the call ended in the task, and so in the trial; `refused` when the task made no such call, or what it answered
   * is not known whole.
   */
  readonly outcome: "returned" | "raised" | "refused";
  /** Why it was refused, or what was raised; null when it returned. */
  readonly reason: string | null;
}

/** One run of a proposed skill, with the tools' answers of the task. */
export interface SkillTrial {
  /** In order; the first 50. */
  readonly calls: readonly TriedCall[];
  /** How many calls of all were answered as in the task, and how many were refused. */
  readonly answered: number;
  readonly refused: number;
  /** What it returned, as Python's `repr`, cut; null when it failed. */
  readonly value: string | null;
  /** What it printed, cut. */
  readonly printed: string;
  readonly error: { readonly type: string; readonly message: string } | null;
  /** Milliseconds. */
  readonly elapsed: number;
}

/** How learning ended. The task's answer is the same in every case. */
export type SkillOutcome =
  /** The model sees no skill in what it did. */
  | { readonly kind: "none"; readonly reason: string }
  | { readonly kind: "saved"; readonly version: number }
  /** There is this skill already, word for word. */
  | { readonly kind: "unchanged" }
  /** A person, or a rule, said no. */
  | { readonly kind: "declined"; readonly reason: string }
  /** It did not pass its checks, and neither did a second one; nobody was asked. */
  | { readonly kind: "rejected"; readonly problems: readonly string[] }
  /** The model could not be asked, or the proposal not be tried or saved. */
  | { readonly kind: "failed"; readonly code: string; readonly reason: string }
  /** The task was stopped meanwhile. */
  | { readonly kind: "stopped" };

/** What came of the question whether a task's work is worth a skill. */
export interface LearnedSkill {
  /** The last one; null where there was none that could be read. */
  readonly proposal: SkillProposal | null;
  /** Of the last proposal; null where it did not come to a trial. */
  readonly trial: SkillTrial | null;
  readonly outcome: SkillOutcome;
}
