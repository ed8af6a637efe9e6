export * from "./public.js";
export {
  differenceHunks,
  lineDifference,
  unifiedDifference,
  type DifferenceLine,
  type LineRange,
} from "./difference.js";
export { SkillParameter, type SkillInspection, type SkillInspector, type SkillVersion } from "./skill.js";
export { SKILL_SEARCH, SkillLibrary } from "./skill-library.js";
