import type { SkillParameter } from "../../skills/index.js";
import { oneLine, pythonName, pythonRepr } from "../../tools/index.js";

/** Characters of a signature, and of one default in it. */
const LONGEST_SIGNATURE = 400;
const LONGEST_DEFAULT = 100;

interface DescribedSkill {
  readonly name: string;
  readonly parameters: readonly (Pick<SkillParameter, "name" | "required" | "default"> & { readonly type: string })[];
}

/** How code calls a skill, on one line: `skills.total(rows: array, unit: string = 'm')`. */
export function skillSignature({ name, parameters }: DescribedSkill): string {
  const list = parameters.map((parameter) => {
    const fallback = parameter.required ? "" : ` = ${short(pythonRepr(parameter.default), LONGEST_DEFAULT)}`;
    return `${pythonName(parameter.name)}: ${oneLine(parameter.type)}${fallback}`;
  });
  return short(`skills.${name}(${list.join(", ")})`, LONGEST_SIGNATURE);
}

function short(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
