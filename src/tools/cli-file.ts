import { z } from "zod";

import type { Value } from "../protocol/index.js";

import { DEFAULT_TOOL_TIMEOUT, type ToolParameter } from "./definition.js";
import type { YamlSource } from "./yaml-source.js";

export interface CliOption {
  readonly name: string;
  readonly type: string;
  /** The letter of the short flag, without its dash. */
  readonly short: string | undefined;
  readonly parameter: ToolParameter;
}

export interface CliRecipe {
  readonly name: string;
  readonly description: string;
  readonly preset: ReadonlyMap<string, Value>;
  /** What is listed: the recipe's own parameters, else those of the whole schema. */
  readonly parameters: readonly ToolParameter[];
}

/** A tool file for a program of the machine, as py-code-mode writes it. */
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
  required: z.boolean().nullish(),
  default: Json.optional(),
  description: Text,
});
type Parameter = z.infer<typeof Parameter>;

const Option = Parameter.extend({ short: Scalar.nullish() });
const Positional = Parameter.extend({ name: z.string().min(1) });

const Recipe = z.looseObject({
  description: Text,
  preset: z.record(z.string(), Json).nullish(),
  params: z.record(z.string(), Parameter.nullable()).nullish(),
});

const CliFile = z.looseObject({
  name: z.string().min(1),
  description: Text,
  command: z.string().min(1).nullish(),
  timeout: z.number().positive().nullish().describe("Seconds."),
  tags: z.array(Scalar).nullish(),
  schema: z
    .looseObject({
      options: z.record(z.string(), Option.nullable()).nullish(),
      positional: z.array(Positional).nullish(),
    })
    .nullish(),
  recipes: z
    .record(z.string(), Recipe.nullable())
    .refine((recipes) => Object.keys(recipes).length > 0, "at least one is needed"),
});

/**
 * Reads a tool file without `type`, or of `type: cli`.
 *
 * @throws {ToolFileError} naming file, line and field.
 */
export function parseCliFile(source: YamlSource): CliToolFile {
  const file = source.parse(CliFile);
  const positionals = (file.schema?.positional ?? []).map((positional) => readParameter(positional.name, positional));
  const options = Object.entries(file.schema?.options ?? {}).map(([name, option]): CliOption => ({
    name,
    type: option?.type ?? "string",
    short: option?.short ?? undefined,
    parameter: readParameter(name, option),
  }));
  const schema = [...positionals, ...options.map(({ parameter }) => parameter)];
  return {
    kind: "cli",
    name: file.name,
    description: file.description,
    command: file.command ?? file.name,
    timeout: inMilliseconds(file.timeout),
    tags: file.tags ?? [],
    options,
    positionals,
    recipes: Object.entries(file.recipes).map(([name, recipe]): CliRecipe => {
      const preset = new Map(Object.entries(recipe?.preset ?? {}));
      const own = Object.entries(recipe?.params ?? {});
      return {
        name,
        description: recipe?.description ?? "",
        preset,
        parameters:
          own.length === 0
            ? schema
            : own.map(([key, parameter]) =>
                readRecipeParameter(key, { parameter, base: schema.find((known) => known.name === key), preset }),
              ),
      };
    }),
  };
}

function readParameter(name: string, parameter: Parameter | null): ToolParameter {
  return {
    name,
    type: parameter?.type ?? "str",
    required: parameter?.required ?? false,
    description: parameter?.description ?? "",
    ...(parameter?.default === undefined ? {} : { default: parameter.default }),
  };
}

interface RecipeParameterSource {
  readonly parameter: Parameter | null;
  readonly base: ToolParameter | undefined;
  readonly preset: ReadonlyMap<string, Value>;
}

/** What the recipe does not say about a parameter, the schema does. */
function readRecipeParameter(name: string, { parameter, base, preset }: RecipeParameterSource): ToolParameter {
  const value = preset.get(name) ?? parameter?.default ?? base?.default;
  const description = parameter?.description ?? "";
  return {
    name,
    type: parameter?.type ?? base?.type ?? "str",
    required: value === undefined && (parameter?.required ?? base?.required ?? false),
    description: description === "" ? (base?.description ?? "") : description,
    ...(value === undefined ? {} : { default: value }),
  };
}

function inMilliseconds(seconds: number | null | undefined): number {
  return typeof seconds === "number" ? seconds * 1000 : DEFAULT_TOOL_TIMEOUT;
}
