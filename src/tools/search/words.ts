/** Words of a question that say nothing about what is looked for. */
const FILLERS = new Set(
  (
    "a about all an and any are as at be by can do for from give has have how i in into is it its me my of on or our " +
    "please some that the their them there this to want was we what when where which who with you your"
  ).split(" "),
);

/** What people say in place of each other; the first is what interfaces mostly call it. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["get", "list", "show", "fetch", "find", "read", "view", "see", "look", "retrieve", "display"],
  ["create", "add", "new", "make", "open"],
  ["delete", "remove", "drop", "erase", "clear"],
  ["update", "edit", "change", "modify", "set", "alter"],
  ["cancel", "stop", "abort"],
  ["send", "post", "publish"],
  ["search", "find", "query"],
  ["download", "export"],
  ["enable", "activate"],
  ["disable", "deactivate"],
  ["user", "person", "people", "member", "somebody"],
  ["latest", "newest", "recent"],
  ["repository", "repo"],
  ["organization", "organisation", "org"],
  ["application", "app"],
  ["configuration", "config"],
  ["authentication", "auth"],
  ["environment", "env"],
  ["administrator", "admin"],
  ["database", "db"],
  ["document", "doc", "documentation"],
  ["picture", "image", "photo"],
];

const synonymsOf = new Map<string, Set<string>>();
for (const group of SYNONYMS) {
  for (const word of group) {
    const others = synonymsOf.get(stem(word)) ?? new Set();
    for (const other of group) if (other !== word) others.add(stem(other));
    synonymsOf.set(stem(word), others);
  }
}

/** A word of a query, and how much it counts. */
export interface QueryWord {
  readonly word: string;
  readonly weight: number;
  /** The written words that it stands for: itself, or those it may mean. */
  readonly of: readonly string[];
}

/** How much a word counts that nobody wrote. */
const SYNONYM_WEIGHT = 0.3;

/** The words of a text as the index knows them. */
export function wordsOf(text: string): string[] {
  return splitWords(text).map(stem);
}

/** The words of a query, without fillers, and with what else they may be called. */
export function queryWords(query: string): QueryWord[] {
  const words = splitWords(query);
  const telling = words.filter((word) => word.length > 1 && !FILLERS.has(word));
  const written = [...new Set((telling.length > 0 ? telling : words).map(stem))];
  const meant = new Map<string, string[]>();
  for (const word of written) {
    for (const other of synonymsOf.get(word) ?? []) {
      if (!written.includes(other)) meant.set(other, [...(meant.get(other) ?? []), word]);
    }
  }
  return [
    ...written.map((word) => ({ word, weight: 1, of: [word] })),
    ...Array.from(meant, ([word, of]) => ({ word, weight: SYNONYM_WEIGHT, of })),
  ];
}

/** `issuesListForRepo` → `issues list for repo`. */
function splitWords(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** English endings that mean the same thing: `creating`, `created` and `creates` are `creat`. */
function stem(word: string): string {
  if (word.length <= 3) return word;
  const single = word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.replace(/(?<=[^su])s$/, "");
  const plain = single.length > 5 ? single.replace(/(?:ing|ed)$/, "") : single;
  return plain.length > 4 ? plain.replace(/e$/, "") : plain;
}
