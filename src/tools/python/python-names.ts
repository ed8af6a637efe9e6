const keywords = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from " +
    "global if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

/** Attributes that Python's `tools` has of its own. */
const namespaceAttributes = new Set(["list", "search"]);

/** Attributes that every `tools.x` of Python has of its own. */
const toolAttributes = new Set(["list", "call_sync", "call_async", "describe", "signature"]);

/**
 * The name under which Python reaches a tool, a recipe or a parameter.
 *
 * A Python identifier stays as it is. Otherwise every character that an
 * identifier cannot hold becomes `_` (`my-tool` → `my_tool`), a name that starts
 * with a digit or `_` gets the prefix `x` (`3d` → `x3d`, since names with a
 * leading `_` are never proxied), and a keyword gets a trailing `_` (`import` → `import_`).
 */
export function pythonName(name: string): string {
  // Nearly all names are of this kind, and there may be ten thousand.
  if (/^[A-Za-z]\w*$/.test(name)) return keywords.has(name) ? `${name}_` : name;
  const cleaned = name.normalize("NFKC").replace(/\P{XID_Continue}/gu, "_");
  const started = /^\p{XID_Start}/u.test(cleaned) ? cleaned : `x${cleaned}`;
  return keywords.has(started) ? `${started}_` : started;
}

/** Whether Python reads the text as one identifier, the same one, and not as a keyword. */
export function isPythonName(text: string): boolean {
  return /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text) && text.normalize("NFKC") === text && !keywords.has(text);
}

/** {@link pythonName} of a tool: what would be hidden by an attribute of `tools` (`list`, `search`) gets a trailing `_`. */
export function pythonAttribute(tool: string): string {
  const alias = pythonName(tool);
  return namespaceAttributes.has(alias) ? `${alias}_` : alias;
}

/** {@link pythonName} of a callable: what would be hidden by an attribute of `tools.x` (`list`, `describe` …) gets a trailing `_`. */
export function pythonMethod(callable: string): string {
  const alias = pythonName(callable);
  return toolAttributes.has(alias) ? `${alias}_` : alias;
}

/** {@link pythonName} of a parameter: `self`, which a method has already, gets a trailing `_`. */
export function pythonParameter(parameter: string): string {
  const alias = pythonName(parameter);
  return alias === "self" ? "self_" : alias;
}

/**
 * Aliases that differ from each other, by name. A name that is its own alias keeps it; of others with one alias the first
 * has it, and each later one a number: `get-user` and `get.user` are `get_user` and `get_user_2`.
 */
export function distinctAliases(names: Iterable<string>, aliasOf: (name: string) => string): Map<string, string> {
  const wanted = Array.from(names, (name) => [name, aliasOf(name)] as const);
  const distinct = new DistinctNames(wanted.filter(([name, alias]) => name === alias).map(([name]) => name));
  return new Map(wanted.map(([name, alias]) => [name, name === alias ? alias : distinct.take(alias)]));
}

/** Hands out names, each once. Of thousands that are alike, none is counted up to twice. */
export class DistinctNames {
  readonly #taken: Set<string>;
  /** With which number to go on, by name. */
  readonly #next = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  /** The name, or the first of `name_2`, `name_3` … that is not taken. */
  take(name: string): string {
    let free = name;
    let count = this.#next.get(name) ?? 2;
    for (; this.#taken.has(free); count += 1) free = `${name}_${String(count)}`;
    this.#next.set(name, count);
    this.#taken.add(free);
    return free;
  }
}

/** The name, or the first of `name_2`, `name_3` … that is not taken. */
export function freeName(name: string, taken: { has(name: string): boolean }): string {
  if (!taken.has(name)) return name;
  let count = 2;
  while (taken.has(`${name}_${String(count)}`)) count += 1;
  return `${name}_${String(count)}`;
}
