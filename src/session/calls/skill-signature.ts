import { shortenUnitsTo } from "../../protocol/index.js";
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
    const fallback = parameter.required ? "" : ` = ${shortenUnitsTo(pythonRepr(parameter.default), LONGEST_DEFAULT)}`;
    return `${pythonName(parameter.name)}: ${oneLine(parameter.type)}${fallback}`;
  });
  return shortenUnitsTo(`skills.${name}(${list.join(", ")})`, LONGEST_SIGNATURE);
}
