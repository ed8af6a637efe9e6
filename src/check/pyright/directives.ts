/** What the checker reads as an order about the whole file: `# pyright: basic`, `# pyright: reportCallIssue=false`. */
const DIRECTIVE = /#[^\S\r\n]*(?:based)?pyright:(?![^\S\r\n]*ignore)/g;

/**
 * The code without comments that set the checker's rules: with those it would look for what Python does not fail of, or
 * not say that it has come to its end. Comments about one line (`# pyright: ignore`) stay; so do all places.
 */
export function withoutDirectives(code: string): string {
  return code.replaceAll(DIRECTIVE, (found) => "#".padEnd(found.length));
}
