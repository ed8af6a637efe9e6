export { SkillError, SkillNotFoundError, SkillSyntaxError, SkillValidationError } from "./errors.js";
export { KEYWORDS, RESERVED_SKILL_NAMES } from "./names.js";
export {
  SkillParameter,
  type ScoredSkill,
  type Skill,
  type SkillChange,
  type SkillInspection,
  type SkillInspector,
  type SkillVersion,
} from "./skill.js";
export { SkillLibrary, type NewSkill, type SkillListing, type SkillSearchOptions } from "./skill-library.js";
