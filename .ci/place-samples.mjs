// Where the samples of docs/samples/ stand in a document.

/** What may be shown without a test: a line or two to type, what comes of it. Any other language needs a sample. */
const UNTESTED = new Set(["", "sh", "json", "text"]);

const NAMED = /^<!-- sample: (\S+) -->$/;
const FENCE = /^```(\w*)$/;
/** Whatever else Markdown takes for the beginning of a code block, in a list or a quotation too. */
const OTHER_FENCE = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(?:`{3}|~{3})/;

/**
 * Replaces the text of each code block below a line that names a sample.
 *
 * @returns the document, the names of its samples, and what is wrong, each with its line
 */
export function placeSamples(/** @type {string} */ text, /** @type {ReadonlyMap<string, string>} */ samples) {
  /** @type {string[]} */
  const lines = [];
  /** @type {string[]} */
  const shown = [];
  /** @type {string[]} */
  const problems = [];
  const given = text.split("\n");
  for (let at = 0; at < given.length; at += 1) {
    const line = given[at] ?? "";
    const language = FENCE.exec(line)?.[1];
    lines.push(line);
    if (language === undefined) {
      if (OTHER_FENCE.test(line)) {
        problems.push(`${at + 1}: a code block begins with three backquotes, at the margin, and a language alone.`);
      }
      if (NAMED.test(line) && !FENCE.test(given[at + 1] ?? "")) problems.push(`${at + 1}: no code block follows.`);
      continue;
    }
    const end = given.indexOf("```", at + 1);
    if (end < 0) {
      problems.push(`${at + 1}: the code block has no end.`);
      continue;
    }
    const name = NAMED.exec(given[at - 1] ?? "")?.[1];
    const sample = name === undefined ? undefined : samples.get(name);
    if (name !== undefined && sample === undefined) problems.push(`${at}: there is no docs/samples/${name}.`);
    if (name === undefined && !UNTESTED.has(language)) {
      problems.push(`${at + 1}: ${language} is shown that no test runs: name a file of docs/samples/ above it.`);
    }
    if (name !== undefined && sample !== undefined) {
      shown.push(name);
      lines.push(...sample.trimEnd().split("\n"), "```");
    } else {
      lines.push(...given.slice(at + 1, end + 1));
    }
    at = end;
  }
  return { text: lines.join("\n"), shown, problems };
}
