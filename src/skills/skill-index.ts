import { Slices } from "../protocol/index.js";
import type { ScoredSkill, Skill } from "./skill.js";

/** How much of the score each place can give; together they stay below an exact name. */
const WEIGHTS = { name: 0.6, description: 0.27, source: 0.08 };

/** Characters and words of a query that are looked at. */
const LONGEST_QUERY = 1000;
const MOST_WORDS = 50;

/** Characters whose words are looked for in one go. */
const PIECE = 50_000;

/** Each word of a text once, in small letters, and all of them with a blank around each. */
interface Words {
  readonly whole: ReadonlySet<string>;
  readonly joined: string;
}

interface IndexedSkill {
  readonly name: Words;
  readonly description: Words;
  readonly source: Words;
}

/**
 * The words of skills. A text is taken apart once, so that a search looks at its words alone, and in slices, so that the
 * page stays alive meanwhile.
 */
export class SkillIndex {
  /** By name and hash. */
  #known = new Map<string, IndexedSkill>();

  /**
   * Best first; equals in the order they came in. What was not among `skills` the last time is taken in, and what is no
   * longer there is forgotten.
   */
  async rank(skills: readonly Skill[], query: string): Promise<ScoredSkill[]> {
    const wanted = query.trim().slice(0, LONGEST_QUERY).toLowerCase();
    const terms = splitWords(wanted).slice(0, MOST_WORDS);
    const slices = new Slices();
    const known = new Map<string, IndexedSkill>();
    const scored: ScoredSkill[] = [];
    for (const skill of skills) {
      const key = `${skill.name} ${skill.hash}`;
      const words = known.get(key) ?? this.#known.get(key) ?? (await indexed(skill, slices));
      known.set(key, words);
      scored.push({ ...skill, score: skill.name.toLowerCase() === wanted ? 1 : scoreOf(words, terms) });
      await slices.rest();
    }
    this.#known = known;
    return scored.sort((a, b) => b.score - a.score);
  }
}

async function indexed({ name, description, source }: Skill, slices: Slices): Promise<IndexedSkill> {
  return {
    name: await wordsOf(name, slices),
    description: await wordsOf(description, slices),
    source: await wordsOf(source, slices),
  };
}

async function wordsOf(text: string, slices: Slices): Promise<Words> {
  const whole = new Set<string>();
  for (let from = 0; from < text.length;) {
    const to = endOfWord(text, from + PIECE);
    for (const word of splitWords(text.slice(from, to).toLowerCase())) whole.add(word);
    from = to;
    await slices.rest();
  }
  return { whole, joined: ` ${[...whole].join(" ")} ` };
}

function endOfWord(text: string, from: number): number {
  const gap = /[^\p{L}\p{N}]/gu;
  gap.lastIndex = from;
  return gap.exec(text)?.index ?? text.length;
}

function scoreOf(words: IndexedSkill, terms: readonly string[]): number {
  const { name, description, source } = WEIGHTS;
  const score =
    name * shareOf(terms, words.name) +
    description * shareOf(terms, words.description) +
    source * shareOf(terms, words.source);
  return Math.round(score * 1000) / 1000;
}

/** The share of the terms that a text has: a whole word counts fully, a part of one half. */
function shareOf(terms: readonly string[], { whole, joined }: Words): number {
  if (terms.length === 0) return 0;
  let share = 0;
  for (const term of terms) {
    if (whole.has(term)) share += 1;
    else if (joined.includes(term)) share += 0.5;
  }
  return share / terms.length;
}

function splitWords(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
