export * from "./public.js";
export {
  differenceHunks,
  differenceOfLines,
  lineDifference,
  unifiedDifference,
  unifiedHunks,
  type DifferenceLine,
} from "./difference.js";
export { SkillParameter, type SkillInspection, type SkillInspector } from "./skill.js";
export { SKILL_SEARCH, SkillLibrary } from "./skill-library.js";
