import { extensionOf } from "../call/image-formats.js";

/** A language, by the endings of its files, and by the tags that fences of it have. The first tag is its name. */
interface Language {
  readonly endings: readonly string[];
  readonly tags: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  { endings: ["py", "pyw", "pyi"], tags: ["python", "py", "python3", "py3", "python2", "pyi", "cython"] },
  {
    endings: ["js", "mjs", "cjs"],
    tags: ["javascript", "js", "mjs", "cjs", "node", "nodejs", "ecmascript", "es6", "jsx"],
  },
  { endings: ["jsx"], tags: ["jsx", "javascript", "js", "react", "tsx"] },
  { endings: ["ts", "mts", "cts"], tags: ["typescript", "ts", "mts", "cts", "tsx", "javascript", "js"] },
  { endings: ["tsx"], tags: ["tsx", "typescript", "ts", "jsx", "react", "javascript", "js"] },
  {
    endings: ["html", "htm", "xhtml"],
    tags: ["html", "htm", "html5", "xhtml", "xml", "jinja", "jinja2", "django", "handlebars"],
  },
  { endings: ["css"], tags: ["css", "postcss", "scss"] },
  { endings: ["scss", "sass"], tags: ["scss", "sass", "css"] },
  { endings: ["less"], tags: ["less", "css"] },
  { endings: ["vue"], tags: ["vue", "html"] },
  { endings: ["svelte"], tags: ["svelte", "html"] },
  { endings: ["svg"], tags: ["svg", "xml", "html"] },
  { endings: ["xml", "xsd", "xsl", "plist"], tags: ["xml", "xsd", "xslt", "plist", "svg", "html"] },
  {
    endings: ["json", "jsonc", "json5", "geojson", "webmanifest"],
    tags: ["json", "jsonc", "json5", "geojson", "javascript", "js"],
  },
  { endings: ["jsonl", "ndjson"], tags: ["jsonl", "ndjson", "json"] },
  { endings: ["ipynb"], tags: ["json", "ipynb"] },
  { endings: ["yaml", "yml"], tags: ["yaml", "yml"] },
  { endings: ["toml"], tags: ["toml", "ini"] },
  {
    endings: ["ini", "cfg", "conf", "properties"],
    tags: ["ini", "cfg", "conf", "properties", "toml", "nginx", "apache"],
  },
  { endings: ["md", "markdown", "mdx"], tags: ["markdown", "md", "mdx", "gfm"] },
  { endings: ["java"], tags: ["java"] },
  { endings: ["kt", "kts"], tags: ["kotlin", "kt", "kts"] },
  { endings: ["scala"], tags: ["scala"] },
  { endings: ["groovy", "gradle"], tags: ["groovy", "gradle"] },
  { endings: ["c"], tags: ["c"] },
  { endings: ["h"], tags: ["c", "h", "cpp", "c++", "objc", "objective-c"] },
  { endings: ["cpp", "cc", "cxx", "hpp", "hh", "hxx"], tags: ["cpp", "c++", "cc", "cxx", "hpp", "c"] },
  { endings: ["cs"], tags: ["csharp", "cs", "c#"] },
  { endings: ["fs"], tags: ["fsharp", "fs", "f#"] },
  { endings: ["sh", "bash", "zsh"], tags: ["bash", "sh", "shell", "zsh", "shellscript", "console", "ksh"] },
  { endings: ["ps1", "psm1"], tags: ["powershell", "ps1", "pwsh"] },
  { endings: ["bat", "cmd"], tags: ["bat", "batch", "cmd", "dos"] },
  { endings: ["rb"], tags: ["ruby", "rb"] },
  { endings: ["go"], tags: ["go", "golang"] },
  { endings: ["php"], tags: ["php", "html"] },
  { endings: ["rs"], tags: ["rust", "rs"] },
  { endings: ["swift"], tags: ["swift"] },
  { endings: ["dart"], tags: ["dart"] },
  { endings: ["lua"], tags: ["lua"] },
  { endings: ["pl", "pm"], tags: ["perl", "pl"] },
  { endings: ["r"], tags: ["r", "rlang"] },
  { endings: ["jl"], tags: ["julia", "jl"] },
  { endings: ["ex", "exs"], tags: ["elixir", "ex"] },
  { endings: ["hs"], tags: ["haskell", "hs"] },
  { endings: ["sql"], tags: ["sql", "postgresql", "postgres", "mysql", "sqlite", "plsql", "tsql"] },
  { endings: ["graphql", "gql"], tags: ["graphql", "gql"] },
  { endings: ["proto"], tags: ["protobuf", "proto", "proto3"] },
  { endings: ["tf", "hcl"], tags: ["hcl", "terraform", "tf"] },
  { endings: ["dockerfile"], tags: ["dockerfile", "docker"] },
  { endings: ["makefile", "mk"], tags: ["makefile", "make", "mk"] },
  { endings: ["csv", "tsv"], tags: ["csv", "tsv"] },
  { endings: ["diff", "patch"], tags: ["diff", "patch"] },
];

/** Files without an ending that say by their whole name what they hold. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["dockerfile", "dockerfile"],
  ["containerfile", "dockerfile"],
  ["makefile", "makefile"],
  ["gnumakefile", "makefile"],
]);

const byEnding = new Map(
  LANGUAGES.flatMap((language) => language.endings.map((ending) => [ending, language] as const)),
);
const knownTags = new Set(LANGUAGES.flatMap(({ tags }) => tags));

/** The language of a file as its name says; undefined where that says nothing. */
export function languageOf(path: string): string | undefined {
  return languageByName(path)?.tags[0];
}

export function isMarkdown(path: string): boolean {
  return languageOf(path) === "markdown";
}

/**
 * What a tag says of a block that is to be a file: that it is of the file's language, that it is of another one, or
 * nothing, as `text` does and whatever is no language that we know.
 */
export function tagFits(tag: string, path: string): "yes" | "no" | "unknown" {
  const named = languageByName(path);
  if (tag === "" || named === undefined) return "unknown";
  if (named.tags.includes(tag)) return "yes";
  if (knownTags.has(tag)) return "no";
  // Some write the name of the file in the place of the tag.
  const ofFile = tag.includes(".") || tag.includes("/") ? languageByName(tag) : undefined;
  return ofFile === undefined ? "unknown" : ofFile === named ? "yes" : "no";
}

function languageByName(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return byEnding.get(NAMES.get(name) ?? extensionOf(path));
}
