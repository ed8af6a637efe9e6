import { shorten } from "../../protocol/index.js";
import type { SkillTrial } from "../events/learned-skill.js";

/** Characters of a value that a note shows. */
const LONGEST_VALUE = 200;

/** A trial in sentences, for the person who is asked whether the skill is saved. */
export function trialNotes({ answered, refused, value, printed, error }: SkillTrial): readonly string[] {
  const answers =
    answered === 0
      ? "It called no tool."
      : `${counted(answered, "call")} of tools ${answered === 1 ? "was" : "were"} answered as in the task; no tool was really called.`;
  return [
    "It was tried once in a sealed interpreter.",
    answers,
    ...(refused === 0 ? [] : [`${counted(refused, "call")} ${refused === 1 ? "was" : "were"} refused.`]),
    error === null
      ? `It returned ${value === null ? "None" : shorten(value, LONGEST_VALUE)}.`
      : `It failed with ${error.type}: ${shorten(error.message, LONGEST_VALUE)}`,
    ...(printed === "" ? [] : [`It printed ${shorten(printed.trimEnd(), LONGEST_VALUE)}`]),
  ];
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}
