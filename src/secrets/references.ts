import { SecretReferenceError } from "./errors.js";

const REFERENCE = /\$\$\{|\$\{([^}]*)\}?/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The names of the secrets that a text refers to as `${NAME}`, each once. `$${` stands for `${` itself.
 *
 * @throws {SecretReferenceError} for a reference that names none, `${a b}` or `${` for instance.
 */
export function referencesIn(text: string): readonly string[] {
  const names = new Set<string>();
  for (const [reference, name] of text.matchAll(REFERENCE)) {
    if (reference === "$${") continue;
    if (name === undefined || !NAME.test(name) || !reference.endsWith("}")) throw new SecretReferenceError(reference);
    names.add(name);
  }
  return [...names];
}

/** The text with each `${NAME}` replaced; `valueOf` is asked for names of {@link referencesIn} alone. */
export function fillReferences(text: string, valueOf: (name: string) => string): string {
  return text.replace(REFERENCE, (reference, name: string | undefined) =>
    reference === "$${" || name === undefined ? "${" : valueOf(name),
  );
}
