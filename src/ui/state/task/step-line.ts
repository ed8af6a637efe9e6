import { formatCount, formatElapsed } from "../text/format.js";
import { splitReply } from "../text/split-reply.js";
import type { TaskStep } from "./task-view.js";

/** Characters of a title; a line has room for fewer. */
const LONGEST_TITLE = 200;

/** What is said of a step in one line. */
export interface StepLine {
  /** What the model said of it, else the first line of its code, else the tools that it asked for. */
  readonly title: string;
  /** `2 calls · 85 ms`. */
  readonly facts: string;
  /** Whether its code, or a call of it, failed. */
  readonly hasFailed: boolean;
}

/** A step in one line. */
export function stepLine(step: TaskStep): StepLine {
  const calls = [...step.calls.entries.values()].filter(({ parent }) => parent === null);
  const elapsed = step.run?.elapsed;
  return {
    title: titleOf(step).slice(0, LONGEST_TITLE),
    facts: [
      calls.length === 0 ? "" : formatCount(calls.length, "call"),
      elapsed === undefined ? "" : formatElapsed(elapsed),
    ]
      .filter((part) => part !== "")
      .join(" · "),
    hasFailed: (step.run?.error ?? null) !== null || calls.some(({ outcome }) => outcome.kind === "error"),
  };
}

function titleOf({ agent, reply, code, toolCalls }: TaskStep): string {
  const split = splitReply(reply);
  // What the agent that calls tools writes is mostly JSON, which says little in one line.
  const isJson = /^\s*(?:```\w*\s*)?[{[]/.test(split.thought);
  const thought = agent === "react" && isJson ? "" : firstLine(split.thought).replace(/^#+\s+|[*_`]/g, "");
  const asked = toolCalls.map(({ name }) => name).join(", ");
  return thought || firstLine(code ?? split.code ?? "") || asked || firstLine(reply);
}

function firstLine(text: string): string {
  return /\S.*/.exec(text)?.[0].trimEnd() ?? "";
}
