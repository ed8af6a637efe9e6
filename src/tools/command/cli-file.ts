import { z } from "zod";

import type { Value } from "../../protocol/index.js";

import { DEFAULT_TOOL_TIMEOUT, type ToolHints, type ToolParameter } from "../definition.js";
import type { JsonSchema } from "../json-schema.js";
import { HintsField, readHints } from "../yaml/hints-field.js";
import type { YamlSource } from "../yaml/yaml-source.js";

/** An option of a command. */
export interface CliOption {
  /** As it stands in the command line: `-n`, `--limit`, `+short`. One that ends in `=` takes its value into the same argument. */
  readonly flag: string;
  readonly parameter: ToolParameter;
}

/** A way to call a command, as a callable of its tool. */
export interface CliRecipe {
  readonly name: string;
  readonly description: string;
  readonly hints: ToolHints;
  /** What is listed: the recipe's own parameters, else all. A preset is the default of its parameter. */
  readonly parameters: readonly ToolParameter[];
  /** What a call may give: everything that the schema knows, listed or not. */
  readonly accepted: readonly ToolParameter[];
}

/** A tool file for a command, as py-code-mode writes it, with what Vitrine adds. */
export interface CliToolFile {
  readonly kind: "cli";
  readonly name: string;
  readonly description: string;
  readonly command: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly tags: readonly string[];
  /** In the order in which they stand in the command line. */
  readonly options: readonly CliOption[];
  readonly positionals: readonly ToolParameter[];
  /** The parameter whose value the command reads from its standard input. */
  readonly stdin: ToolParameter | undefined;
  /**
   * Whether `--` stands before the positionals, so that none of them is taken for an option. Undefined: where one that
   * the call gave begins with `-` and the command is known to take it.
   */
  readonly endOfOptions: boolean | undefined;
  readonly env: ReadonlyMap<string, string>;
  readonly hints: ToolHints;
  /** Everything that a call may give where no recipe says otherwise. */
  readonly accepted: readonly ToolParameter[];
  readonly recipes: readonly CliRecipe[];
}

// Such files were written for another program, which overlooks fields it does not know; so does this.
const Text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const Scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const Json = z.json().transform((value): Value => value);

const Parameter = z.looseObject({
  type: z.string().nullish(),
  items: z.union([z.string(), z.looseObject({ type: z.string() }).transform(({ type }) => type)]).nullish(),
  choices: z.array(Json).min(1).nullish(),
  required: z.boolean().nullish(),
  default: Json.optional(),
  description: Text,
});
type Parameter = z.infer<typeof Parameter>;

// Some programs have options that begin with a plus: `dig +short`, `lsof +D`.
const Flag = z.string().regex(/^[-+]/, "it does not begin with - or +");
const Option = Parameter.extend({ short: Scalar.nullish(), flag: Flag.nullish() });
const Named = Parameter.extend({ name: z.string().min(1) });
/** The type of standard input of which nothing else is said. */
const TEXT_OR_BYTES = "str | bytes";
const EnvName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "it is not the name of a variable");

const Recipe = z.looseObject({
  description: Text,
  hints: HintsField,
  preset: z.record(z.string(), Json).nullish(),
  params: z.record(z.string(), Parameter.nullable()).nullish(),
});
type Recipe = z.infer<typeof Recipe>;

const CliFile = z.looseObject({
  name: z.string().min(1),
  description: Text,
  command: z.string().min(1).nullish(),
  timeout: z.number().positive().nullish().describe("Seconds."),
  tags: z.array(Scalar).nullish(),
  env: z.record(EnvName, Scalar).nullish(),
  hints: HintsField,
  schema: z
    .looseObject({
      options: z.record(z.string(), Option.nullable()).nullish(),
      positional: z.array(Named).nullish(),
      stdin: z.union([z.string().min(1), Named]).nullish(),
      end_of_options: z.boolean().nullish(),
    })
    .nullish(),
  recipes: z
    .record(z.string(), Recipe.nullable())
    .refine((recipes) => Object.keys(recipes).length > 0, "at least one is needed"),
});

/** By name: what the file says of everything that its command line has a place for. */
type Declarations = ReadonlyMap<string, Parameter>;

const NOTHING_SAID: Parameter = { description: "" };

/**
 * Reads a tool file without `type`, or of `type: cli`: py-code-mode's, to which
 * `choices`, `items`, `flag`, `stdin`, `end_of_options`, `env` and `hints` come.
 * docs/tools.md has a whole one.
 *
 * @throws {ToolFileError} naming file, line and field.
 */
export function parseCliFile(source: YamlSource): CliToolFile {
  const file = source.parse(CliFile);
  const positionals = file.schema?.positional ?? [];
  const options = Object.entries(file.schema?.options ?? {});
  const stdin = readStdin(file.schema?.stdin);
  const declared: [string, Parameter | null][] = [
    ...positionals.map((each): [string, Parameter] => [each.name, each]),
    ...options,
    ...(stdin === undefined ? [] : [[stdin.name, stdin] satisfies [string, Parameter]]),
  ];
  const names = declared.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw source.error(["schema"], `there are two parameters '${twice}'`);
  const declarations = new Map(declared.map(([name, parameter]) => [name, parameter ?? NOTHING_SAID]));
  const parameter = (name: string): ToolParameter => readParameter(name, declarations.get(name) ?? NOTHING_SAID);
  return {
    kind: "cli",
    name: file.name,
    description: file.description,
    command: file.command ?? file.name,
    timeout: inMilliseconds(file.timeout),
    tags: file.tags ?? [],
    options: options.map(([name, option]) => ({ flag: flagOf(name, option), parameter: parameter(name) })),
    positionals: positionals.map(({ name }) => parameter(name)),
    stdin: stdin === undefined ? undefined : parameter(stdin.name),
    endOfOptions: file.schema?.end_of_options ?? undefined,
    env: new Map(Object.entries(file.env ?? {})),
    hints: readHints(file.hints),
    accepted: [...declarations.keys()].map(parameter),
    recipes: Object.entries(file.recipes).map(([name, recipe]) => readRecipe(name, recipe, declarations)),
  };
}

function readRecipe(name: string, recipe: Recipe | null, declarations: Declarations): CliRecipe {
  const preset = new Map(Object.entries(recipe?.preset ?? {}));
  const own = new Map(Object.entries(recipe?.params ?? {}));
  // py-code-mode drops the value of what the schema does not know; not listed, it is refused.
  const listed = [...(own.size === 0 ? declarations : own).keys()].filter((key) => declarations.has(key));
  const accepted = new Map(
    Array.from(declarations, ([key, declaration]) => {
      const value = preset.get(key);
      const said = { ...declaration, ...whatIsSaid(own.get(key)), ...(value === undefined ? {} : { default: value }) };
      return [key, readParameter(key, said)];
    }),
  );
  return {
    name,
    description: recipe?.description ?? "",
    hints: readHints(recipe?.hints),
    parameters: listed.flatMap((key) => accepted.get(key) ?? []),
    accepted: [...accepted.values()],
  };
}

/** Without what is left blank. An empty text is a default like any other. */
function whatIsSaid(parameter: Parameter | null | undefined): Partial<Parameter> {
  const said = Object.entries(parameter ?? {}).filter(
    ([field, value]) => value !== null && (value !== "" || field === "default"),
  );
  return Object.fromEntries(said);
}

function readParameter(
  name: string,
  { type, required, default: value, description, ...rest }: Parameter,
): ToolParameter {
  const hasDefault = value !== undefined && value !== null;
  const schema = schemaOf({ type, ...rest });
  return {
    name,
    type: type ?? "str",
    required: required === true && !hasDefault,
    description,
    schema,
    ...(schema.type === "array" ? { takesOneItem: true } : {}),
    ...(hasDefault ? { default: value } : {}),
  };
}

function schemaOf({ type, items, choices }: Pick<Parameter, "type" | "items" | "choices">): JsonSchema {
  if (type === TEXT_OR_BYTES) return { type: ["string", "bytes"] };
  const chosen = choices ? { enum: choices } : {};
  const jsonType = jsonTypeOf(type);
  // The choices of a list are those of its items.
  return jsonType === "array"
    ? { type: jsonType, items: { type: jsonTypeOf(items), ...chosen } }
    : { type: jsonType, ...chosen };
}

const jsonTypes = new Map([
  ["bool", "boolean"],
  ["int", "integer"],
  ["float", "number"],
  ["list", "array"],
  ["dict", "object"],
  ...["boolean", "integer", "number", "array", "object", "bytes"].map((type) => [type, type] as const),
]);

/** A type that nobody knows is text, as in py-code-mode. */
function jsonTypeOf(type: string | null | undefined): string {
  return jsonTypes.get(type?.toLowerCase() ?? "") ?? "string";
}

function flagOf(name: string, option: z.infer<typeof Option> | null): string {
  if (typeof option?.flag === "string") return option.flag;
  return typeof option?.short === "string" ? `-${option.short}` : `--${name}`;
}

/** `stdin: input` is short for a parameter of that name. */
function readStdin(stdin: string | z.infer<typeof Named> | null | undefined): z.infer<typeof Named> | undefined {
  if (stdin === null || stdin === undefined) return undefined;
  const said = typeof stdin === "string" ? { ...NOTHING_SAID, name: stdin } : stdin;
  return {
    ...said,
    type: said.type ?? TEXT_OR_BYTES,
    description: said.description === "" ? "Standard input" : said.description,
  };
}

function inMilliseconds(seconds: number | null | undefined): number {
  return typeof seconds === "number" ? seconds * 1000 : DEFAULT_TOOL_TIMEOUT;
}
