import type { SourceFile } from "../src/protocol/index.js";
import type { ToolAdapter } from "../src/tools/index.js";
import { JsonText, toJson, type Check, type Json } from "./checks.js";
import type { Batch } from "./batches/index.js";
import type { Level } from "./level.js";
import type { Project } from "./projects/project.js";

/** What an agent left behind: its answer, what it saved, and what its calls did to the task's world. */
export interface Outcome {
  readonly answer: Json;
  /** By name; text stands for its UTF-8. */
  readonly artifacts: Readonly<Record<string, string | Uint8Array>>;
  /** Only of tasks whose tools change something. */
  readonly effects?: Json;
}

/** The tools of one run of a task, in a fresh state. */
export interface World {
  readonly tools: readonly ToolAdapter[];
  /** What the calls have changed so far. */
  readonly effects?: () => Json;
}

export interface EvalTask {
  /** The name of its folder. */
  readonly name: string;
  readonly level: Level;
  /** What is wanted. How the answer and the artifacts have to look stands in their descriptions. */
  readonly prompt: string;
  /** What is to be mended, where the files are a project: for coding agents alone, and judged by tests and difference as well. */
  readonly project?: Project;
  /** What is to be written by `write_codebase_tool`: for agents alone, and judged by what the files do as well. */
  readonly batch?: Batch;
  /** Laid into the workspace before the task begins, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Opened anew for every run, so that no run sees what another one did. */
  readonly world?: () => World;
  /** Tool files and skills. */
  readonly seeds?: readonly SourceFile[];
  readonly answer: {
    /** `text` is compared as text; `json` is a number, a list or an object. */
    readonly format: "json" | "text";
    readonly description: string;
    readonly is: Check;
  };
  /** All that may be saved; anything else is an artifact that nobody asked for, and wrong. */
  readonly artifacts: Readonly<Record<string, ExpectedArtifact>>;
  /** What the calls must have changed. */
  readonly effects?: Check;
  /** An outcome that is right. */
  readonly correct: Outcome;
  /** Near misses, each with the mistake that leads to it. */
  readonly wrong: readonly WrongOutcome[];
}

export interface ExpectedArtifact {
  readonly mime: string;
  readonly description: string;
  /** Is given the bytes. */
  readonly is: Check;
}

/** A part of the right outcome replaced by a wrong one. */
export interface WrongOutcome {
  readonly mistake: string;
  readonly part: "answer" | "artifact" | "effects";
  readonly outcome: Partial<Outcome>;
}

export function wrongAnswer(mistake: string, answer: Json): WrongOutcome {
  return { mistake, part: "answer", outcome: { answer } };
}

export function wrongArtifact(mistake: string, name: string, content: string | Uint8Array): WrongOutcome {
  return { mistake, part: "artifact", outcome: { artifacts: { [name]: content } } };
}

export function wrongEffects(mistake: string, effects: Json): WrongOutcome {
  return { mistake, part: "effects", outcome: { effects } };
}

/** What is wrong with an outcome; empty when it is right. */
export function judge(task: EvalTask, { answer, artifacts, effects }: Outcome): string[] {
  const problems: string[] = [];
  const note = (about: string, problem: string | null): void => {
    if (problem !== null) problems.push(`${about}: ${problem}`);
  };
  note("answer", task.answer.is(readAnswer(task, answer)));
  for (const [name, { is }] of Object.entries(task.artifacts)) {
    const found = artifacts[name];
    if (found === undefined) note(name, "it was not saved");
    else note(name, is(typeof found === "string" ? new TextEncoder().encode(found) : found));
  }
  for (const name of Object.keys(artifacts)) {
    if (!Object.hasOwn(task.artifacts, name)) note(name, "nobody asked for it");
  }
  if (task.effects !== undefined) note("effects", task.effects(effects ?? null));
  return problems;
}

/** Agents that speak in words give JSON as text. */
function readAnswer({ answer: { format } }: EvalTask, answer: Json): Json {
  if (format === "text") return typeof answer === "string" ? answer.trim() : JSON.stringify(answer);
  if (typeof answer !== "string") return answer;
  const parsed = JsonText.safeParse(answer);
  return parsed.success ? toJson(parsed.data) : answer;
}

/** The whole task as an agent is told of it. */
export function taskText({ prompt, answer, artifacts }: EvalTask): string {
  const saved = Object.entries(artifacts).map(([name, { mime, description }]) => `- ${name} (${mime}): ${description}`);
  return [
    prompt.trim(),
    saved.length === 0
      ? "Save no artifact."
      : `Save exactly ${saved.length === 1 ? "this artifact" : "these artifacts"}:\n${saved.join("\n")}`,
    `Your final answer is ${answer.format === "json" ? "JSON data" : "text"}: ${answer.description}`,
  ].join("\n\n");
}
