/** Names of languages by the ending of a file, for people. */
const NAMES: Readonly<Record<string, string>> = {
  py: "Python",
  js: "JavaScript",
  jsx: "JavaScript",
  ts: "TypeScript",
  tsx: "TypeScript",
  html: "HTML",
  css: "CSS",
  json: "JSON",
  md: "Markdown",
  yaml: "YAML",
  yml: "YAML",
  toml: "TOML",
  java: "Java",
  cpp: "C++",
  c: "C",
  cs: "C#",
  sh: "Shell",
  rb: "Ruby",
  go: "Go",
  php: "PHP",
  rs: "Rust",
  swift: "Swift",
  kt: "Kotlin",
  sql: "SQL",
};

/** Empty where the ending is not known. */
export function languageName(path: string): string {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(NAMES, ending) ? (NAMES[ending] ?? "") : "";
}
