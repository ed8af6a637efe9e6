import { pyodidePackages } from "./pyodide-snippets.js";
import type { CheckedPackage } from "./snippet.js";
import { wheelPackages } from "./wheel-snippets.js";

export type { CheckedPackage, Expectation, Snippet, SourceName } from "./snippet.js";

/** Every package that is checked, by its source. */
export const checkedPackages: readonly CheckedPackage[] = [...wheelPackages, ...pyodidePackages];
