import type { Finding } from "../finding.js";
import { CodeClues } from "./code-clues.js";
import type { Diagnostic } from "./server-messages.js";

/** What is made of a diagnostic whose rule says so. */
interface Rule {
  readonly pythonType: string;
  /** Whether Python would fail of it too, as far as the text tells. Default: always. */
  readonly isMistake?: (about: About) => boolean;
  readonly suggestion: (text: string) => string;
}

interface About {
  /** What the checker says. */
  readonly text: string;
  readonly clues: CodeClues;
}

/**
 * The rules that tell of failing code. All others are about style, about hints that Python ignores, about values that may
 * be None (which code mostly knows better), or about what the check before this one looks at itself.
 */
const RULES = new Map<string, Rule>([
  [
    "reportArgumentType",
    { pythonType: "TypeError", isMistake: isWrongArgument, suggestion: (text) => argumentAdvice(text) },
  ],
  [
    "reportCallIssue",
    {
      pythonType: "TypeError",
      // Which argument fits none of the ways to call is said by a diagnostic of its own.
      isMistake: ({ text }) => !text.startsWith("No overloads for"),
      suggestion: () => "help(…) of it tells how it is called.",
    },
  ],
  [
    "reportAttributeAccessIssue",
    {
      pythonType: "AttributeError",
      isMistake: isUnknownAttribute,
      suggestion: () => "dir(…) of it tells what it has.",
    },
  ],
  [
    "reportOperatorIssue",
    {
      pythonType: "TypeError",
      isMistake: ({ text }) => !quoted(firstLine(text)).some(isUnion),
      suggestion: () => "Convert one of them first: str(…), int(…) or float(…).",
    },
  ],
  [
    "reportIndexIssue",
    { pythonType: "TypeError", suggestion: () => "Only lists, dicts, text and their like have parts in brackets." },
  ],
  [
    "reportGeneralTypeIssues",
    {
      pythonType: "TypeError",
      isMistake: ({ text }) => / is not iterable\b/.test(firstLine(text)) && !quoted(firstLine(text)).some(isUnion),
      suggestion: () => "Put it into a list, or count with range(…).",
    },
  ],
  [
    "reportAssignmentType",
    {
      pythonType: "ValueError",
      isMistake: ({ text }) => text.includes(TUPLE_SIZE),
      suggestion: () => "Write as many names as there are values.",
    },
  ],
  ["reportAbstractUsage", { pythonType: "TypeError", suggestion: () => "Use a class that has all methods." }],
  ["reportUnhashable", { pythonType: "TypeError", suggestion: () => "Use a tuple in place of a list." }],
]);

/** Characters of a finding's message. */
const LONGEST_TEXT = 300;

/** Characters of a type that is told as advice. */
const LONGEST_TYPE = 100;

const TUPLE_SIZE = "Tuple size mismatch";

/** What the parameter of the second way to ask for a key is called in the stubs of tools. */
const NO_KEY = "_NoKey";

/** What the stubs of tools call their types of arguments, and how those are told. */
const PLAIN_TYPES = new Map([
  ["_ToolText", "str"],
  ["_ToolNumber", "float"],
  ["_ToolTruth", "bool"],
  ["_ToolList", "list"],
]);

/**
 * What the checker found in `code`, which had one line before it. All are warnings: a type checker knows what was
 * declared, not what will be there.
 *
 * @param doubtful - what is not to be told.
 */
export function findingsOf(
  diagnostics: readonly Diagnostic[],
  { code, doubtful }: { readonly code: string; readonly doubtful: ReadonlySet<Diagnostic> },
): readonly Finding[] {
  const positions = new Set<string>();
  const clues = new CodeClues(code);
  return diagnostics.flatMap((diagnostic) => {
    const { code: ruleName, range } = diagnostic;
    const { start, end } = range;
    const message = withPlainTypes(diagnostic.message);
    // Without a rule it is about syntax, of which Python's own word was heard.
    const rule = RULES.get(String(ruleName));
    if (rule === undefined || doubtful.has(diagnostic)) return [];
    const about = { text: message, clues };
    const key = missingKey(about);
    if (key === null) return [];
    if (key === undefined && rule.isMistake?.(about) === false) return [];
    // Of each type that a value may have, the same is said.
    const position = `${String(start.line)}:${String(start.character)} ${rule.pythonType}`;
    if (positions.has(position)) return [];
    positions.add(position);
    return [
      {
        severity: "warning",
        code: "TYPE",
        message: key === undefined ? plainText(message) : `The result has no key ${key}`,
        line: start.line,
        column: start.character + 1,
        endLine: end.line,
        endColumn: end.character + 1,
        suggestion:
          key === undefined ? rule.suggestion(message) : "signature() of the tool tells which keys its result has.",
        pythonType: key === undefined ? rule.pythonType : "KeyError",
      } as const,
    ];
  });
}

function withPlainTypes(message: string): string {
  return message.replaceAll(/\b_Tool[A-Z]\w*/g, (name) => PLAIN_TYPES.get(name) ?? name);
}

/**
 * The key of a tool's result that its schema does not have; null where the code may well know better; undefined where it
 * is about something else.
 */
function missingKey({ text, clues }: About): string | null | undefined {
  if (!text.includes(`"${NO_KEY}"`)) return undefined;
  const [, key] = /"Literal\[((?:'|").*(?:'|"))\]"/s.exec(firstLine(text)) ?? [];
  if (key === undefined) return null;
  return clues.handlesKey(key.slice(1, -1)) || clues.catchesKeyErrors ? null : key;
}

/** What containers take is guessed from what was in them first; so are the keys of a dict. */
const CHANGES_A_CONTAINER =
  /parameter "key" .*in function "__getitem__"|in function "(?:__setitem__|append|appendleft|insert|extend|extendleft|add|update|setdefault|remove|discard|index|count|get|pop|__contains__|__ior__|__iadd__)"/;

/** `dict(rows)`: what it will hold is guessed from what it is given. */
const MAKES_A_CONTAINER = /of type "[^"]*@.*in function "__(?:init|new)__"/;

function isWrongArgument({ text }: About): boolean {
  const first = firstLine(text);
  const [given = ""] = quoted(first);
  if (given === "None") return true;
  if (given.includes(" | ") || CHANGES_A_CONTAINER.test(first) || MAKES_A_CONTAINER.test(first)) return false;
  // A function with several ways to be called is given as a key (`max(counts, key=counts.get)`); a list of whole numbers
  // serves as one of numbers.
  return (
    !given.startsWith("Overload[") &&
    !/ is invariant\b|No overloaded function matches|"None" is (?:not|incompatible)\b/.test(text)
  );
}

/** What is caught, or is any object, is mostly one of a class below that has more. */
const HAS_MORE = /for class "(?:object|\w*(?:Exception|Error|Warning))\*?"/;

/** Attributes that the code sets itself are there. */
function isUnknownAttribute({ text, clues }: About): boolean {
  const [name = ""] = quoted(firstLine(text));
  if (HAS_MORE.test(text)) return false;
  if (!text.startsWith("Cannot access attribute") && !text.includes("is not a known attribute of module")) return false;
  return !clues.setsAttribute(name);
}

function argumentAdvice(text: string): string {
  const [given = "", name = "", type = ""] = quoted(firstLine(text));
  if (firstLine(text).endsWith('in function "__getitem__"')) return "Lists and text take whole numbers in brackets.";
  const [, plain] = /^(str|int|float)(?: \| None)?$/.exec(type) ?? [];
  if (type.length > LONGEST_TYPE) return "Convert the argument first.";
  const isPlain = /^(?:Literal\[|str$|int$|float$)/.test(given);
  return plain !== undefined && isPlain ? `Convert it: \`${plain}(…)\`.` : `\`${name}\` takes: ${type}.`;
}

/** What matters of it: the first line; of values that are taken apart, the last, which counts them. */
function plainText(text: string): string {
  const message = text.includes(TUPLE_SIZE) ? (text.trim().split("\n").at(-1) ?? "") : firstLine(text);
  const plain = message.trim().replaceAll(/ in function "(?:__call__|call_sync|call_async|__getitem__)"/g, "");
  return plain.length > LONGEST_TEXT ? `${plain.slice(0, LONGEST_TEXT - 1).toWellFormed()}…` : plain;
}

/** What stands between double quotes. */
function quoted(text: string): string[] {
  return Array.from(text.matchAll(/"([^"]*)"/g), ([, inside = ""]) => inside);
}

/** Of one of several types; then one of them may be meant. Those inside of brackets do not count. */
function isUnion(type: string): boolean {
  let plain = type;
  for (let before = ""; before !== plain;) {
    before = plain;
    plain = plain.replaceAll(/\[[^[\]]*\]|\([^()]*\)/g, "");
  }
  return plain.includes(" | ");
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
