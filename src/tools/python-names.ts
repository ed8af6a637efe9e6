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
  const cleaned = name.normalize("NFKC").replace(/[^\p{L}\p{N}_]/gu, "_");
  const started = /^[\p{N}_]/u.test(cleaned) ? `x${cleaned}` : cleaned;
  return keywords.has(started) ? `${started}_` : started;
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
