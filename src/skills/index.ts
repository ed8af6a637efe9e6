export {
  differenceHunks,
  lineDifference,
  unifiedDifference,
  type DifferenceLine,
  type LineRange,
} from "./difference.js";
export { SkillError, SkillNotFoundError, SkillsFullError, SkillSyntaxError, SkillValidationError } from "./errors.js";
export {
  SkillParameter,
  type ScoredSkill,
  type Skill,
  type SkillChange,
  type SkillInspection,
  type SkillInspector,
  type SkillVersion,
} from "./skill.js";
export {
  SKILL_SEARCH,
  SkillLibrary,
  type NewSkill,
  type SkillListing,
  type SkillSearchOptions,
} from "./skill-library.js";
