/** Words of an import that are no names of modules. */
const WORDS = new Set(["from", "import", "as"]);

/**
 * The modules, by the first part of their names, that a file finds beside it: those of the batch, whatever folder they are
 * in, since it may be on Python's path, and those that the call names as imports.
 */
export function providedModules(paths: readonly string[], imports: readonly string[]): readonly string[] {
  const modules = new Set<string>();
  for (const path of paths) {
    const parts = path.split("/");
    const file = parts.pop() ?? "";
    for (const folder of parts) modules.add(folder);
    modules.add(file.replace(/\..*$/u, ""));
  }
  // `numpy`, `numpy as np` and `from flask import Flask` are all written.
  for (const each of imports) {
    for (const [word] of each.slice(0, 1000).matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu))
      if (!WORDS.has(word)) modules.add(word);
  }
  return [...modules];
}
