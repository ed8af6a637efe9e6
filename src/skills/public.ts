export { SkillError, SkillNotFoundError, SkillsFullError, SkillSyntaxError, SkillValidationError } from "./errors.js";
export type { SkillParameter, ScoredSkill, Skill, SkillChange } from "./skill.js";
export type { NewSkill, SkillListing, SkillSearchOptions } from "./skill-library.js";
