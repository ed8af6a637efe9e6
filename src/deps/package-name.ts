/** The one spelling of a package's name: lower case, with hyphens (PEP 503). */
export function canonicalName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}

/** The package of a wheel, by the name of its file. */
export function packageOfWheel(filename: string): string {
  return canonicalName(filename.slice(0, Math.max(0, filename.indexOf("-"))));
}
