/** A name, or a query that may be one, without what people write differently. */
export function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s.\-/]+/gu, "_");
}
