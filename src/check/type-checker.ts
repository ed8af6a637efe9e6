import type { Finding } from "./finding.js";

/** The modules that a session describes to a type checker. */
export const STUB_MODULES = ["vitrine_names", "vitrine_tools"] as const;

/** What a type checker is asked. */
export interface TypeCheckRequest {
  readonly code: string;
  /** Stubs (`.pyi`) by module: what the session's names are (`vitrine_names`), and its tools (`vitrine_tools`). */
  readonly stubs: ReadonlyMap<string, string>;
  /** Python that stands before the code, on one line: imports of the names that the session puts there. */
  readonly prelude: string;
}

/** Looks at types, which the check in the interpreter does not. Its findings are warnings. */
export interface TypeChecker {
  /** @throws what says why it could not look; the findings of the first way are reported all the same. */
  check(request: TypeCheckRequest): Promise<readonly Finding[]>;
}
