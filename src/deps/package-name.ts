/** The one spelling of a package's name: lower case, with hyphens (PEP 503). */
export function canonicalName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}
