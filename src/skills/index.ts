export * from "./public.js";
export { SkillParameter, type SkillInspection, type SkillInspector } from "./skill.js";
export { SKILL_SEARCH, SkillLibrary } from "./skill-library.js";
