import type { ScoredSkill, Skill } from "./skill.js";

/** How much of the score each place can give; together they stay below an exact name. */
const WEIGHTS = { name: 0.6, description: 0.27, source: 0.08 };

/** Best first; equals in the order they came in. */
export function rankSkills(skills: readonly Skill[], query: string): ScoredSkill[] {
  const wanted = query.trim().toLowerCase();
  const terms = words(wanted);
  return skills.map((skill) => ({ ...skill, score: scoreOf(skill, wanted, terms) })).sort((a, b) => b.score - a.score);
}

function scoreOf(skill: Skill, wanted: string, terms: readonly string[]): number {
  if (skill.name.toLowerCase() === wanted) return 1;
  const { name, description, source } = WEIGHTS;
  const score =
    name * shareOf(terms, skill.name) +
    description * shareOf(terms, skill.description) +
    source * shareOf(terms, skill.source);
  return Math.round(score * 1000) / 1000;
}

/** The share of the terms that `text` has: a whole word counts fully, a part of one half. */
function shareOf(terms: readonly string[], text: string): number {
  if (terms.length === 0) return 0;
  const lower = text.toLowerCase();
  const found = new Set(words(lower));
  let share = 0;
  for (const term of terms) {
    if (found.has(term)) share += 1;
    else if (lower.includes(term)) share += 0.5;
  }
  return share / terms.length;
}

function words(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
