import { CELL_ATTRIBUTES, PART_ATTRIBUTES } from "./cell-attributes.js";

/** What a fence is for the cell that it belongs to. */
export type FenceRole = "cell" | "output" | "setup" | "check" | "solution";

export interface FenceInfo {
  readonly role: FenceRole;
  /** The language, for the site's own highlighter. */
  readonly language: string;
  /** Attributes in their order; a name without a value has the empty one. */
  readonly attributes: ReadonlyMap<string, string>;
}

const ROLES: ReadonlyMap<string, FenceRole> = new Map([
  ["vitrine", "cell"],
  ["vitrine-output", "output"],
  ["vitrine-setup", "setup"],
  ["vitrine-check", "check"],
  ["vitrine-solution", "solution"],
]);

/** What each kind of fence may say of itself. */
const ATTRIBUTES: Readonly<Record<FenceRole, readonly string[]>> = {
  cell: Object.keys(CELL_ATTRIBUTES),
  ...PART_ATTRIBUTES,
};

/** `name`, `name=value` or `name="a value with blanks"`. */
const PART = /\s*(?:([\w-]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?)(?=\s|$)/y;

/**
 * Reads what follows the three backticks: `python vitrine session=tour expected`. Null where the fence is none of ours.
 *
 * @param fail - makes the error for a reason, with the place.
 * @throws what `fail` makes.
 */
export function readFenceInfo(info: string, fail: (reason: string) => Error): FenceInfo | null {
  const [, language = "", word = "", rest = ""] = /^\s*(\S+)\s+(vitrine(?:-\S*)?)(?=\s|$)(.*)$/s.exec(info) ?? [];
  if (word === "") return null;
  const role = ROLES.get(word);
  if (role === undefined) throw fail(`“${word}” is no kind of fence. There are ${[...ROLES.keys()].join(", ")}.`);
  if (role !== "output" && !/^py(?:thon3?)?$/i.test(language))
    throw fail(`A cell is written in Python. “${language}” cannot be run.`);
  return { role, language, attributes: attributesIn(rest, role, fail) };
}

function attributesIn(text: string, role: FenceRole, fail: (reason: string) => Error): Map<string, string> {
  const attributes = new Map<string, string>();
  const known = ATTRIBUTES[role];
  let at = 0;
  while (text.slice(at).trim() !== "") {
    PART.lastIndex = at;
    const part = PART.exec(text);
    const name = part?.[1];
    if (part === null || name === undefined)
      throw fail(
        `“${text.slice(at).trim()}” cannot be read. Attributes are written name, name=value or name="a value".`,
      );
    if (!known.includes(name)) {
      const words = known.length === 0 ? "It takes none." : `It takes ${known.join(", ")}.`;
      throw fail(`This fence does not know the attribute “${name}”. ${words}`);
    }
    if (attributes.has(name)) throw fail(`The attribute “${name}” is given twice.`);
    attributes.set(name, part[2] ?? part[3] ?? part[4] ?? "");
    at = PART.lastIndex;
  }
  return attributes;
}
