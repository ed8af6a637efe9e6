import type { Diagnostic } from "./server-messages.js";

const NAME = "vitrine_probe_";

/** More attributes than these in one piece of code are not asked about. */
const MOST = 20;

export interface AttributeProbe {
  /** The code with other names in place of the attributes that are said to be missing. */
  readonly code: string;
  /** Those of the diagnostics that are not true of every value that may be there. */
  doubtful(answers: readonly Diagnostic[]): ReadonlySet<Diagnostic>;
}

/**
 * Of a value that is text or a number, the checker says that the number has no `upper`, and not that the text has it. Asked
 * for an attribute that nothing has, it names all that may be there; where those are more, the attribute is not missing for
 * certain. Null where there is nothing to ask.
 */
export function attributeProbe(said: readonly Diagnostic[], code: string): AttributeProbe | null {
  const missing = said.filter(
    ({ code: rule, message, range: { start, end } }) =>
      rule === "reportAttributeAccessIssue" && message.startsWith("Cannot access attribute") && start.line === end.line,
  );
  const positions = new Map<string, Diagnostic[]>();
  for (const diagnostic of missing) {
    const { line, character } = diagnostic.range.start;
    const position = `${String(line)}:${String(character)}`;
    positions.set(position, [...(positions.get(position) ?? []), diagnostic]);
  }
  const asked = [...positions.values()].slice(0, MOST);
  if (asked.length === 0) return null;
  return {
    code: withProbes(code, asked),
    doubtful: (answers) => {
      const isDoubtful = (diagnostics: readonly Diagnostic[], index: number): boolean => {
        const classes = answers.filter(({ message }) =>
          message.startsWith(`Cannot access attribute "${NAME}${String(index)}" `),
        );
        return classes.length > diagnostics.length;
      };
      return new Set([...asked.filter(isDoubtful).flat(), ...[...positions.values()].slice(MOST).flat()]);
    },
  };
}

/** @param positions - each with what is said of it. */
function withProbes(code: string, positions: readonly (readonly Diagnostic[])[]): string {
  const parts = code.split(/(\r\n|\r|\n)/);
  const found = positions.flatMap(([diagnostic], index) =>
    diagnostic === undefined ? [] : [{ ...diagnostic.range, index }],
  );
  // From the end of a line to its beginning, so that positions keep their columns.
  for (const { start, end, index } of found.toSorted((a, b) => b.start.character - a.start.character)) {
    // Every second part is the end of a line; the checker's first line is not the code's.
    const at = (start.line - 1) * 2;
    const line = parts[at] ?? "";
    parts[at] = `${line.slice(0, start.character)}${NAME}${String(index)}${line.slice(end.character)}`;
  }
  return parts.join("");
}
