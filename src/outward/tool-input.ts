/**
 * What a tool takes, in the form in which other people's libraries take schemas: a Standard Schema that tells its JSON
 * Schema. Those of zod are such.
 */
export interface ToolInput {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Checked | Promise<Checked>;
    readonly jsonSchema: { readonly input: Conversion; readonly output: Conversion };
  };
}

type Checked =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };
/** @param options - `target` is a dialect: `draft-2020-12`, `draft-07`. */
type Conversion = (options: { readonly target: string }) => Record<string, unknown>;

/**
 * Takes whatever comes: the call itself is checked by the session, which journals what it refuses and says why in the
 * words of the tool.
 */
export function inputAsSaid(schema: Readonly<Record<string, unknown>>): ToolInput {
  // Who is handed it may write to it.
  const copy = (): Record<string, unknown> => structuredClone({ ...schema });
  return {
    "~standard": {
      version: 1,
      vendor: "vitrine",
      validate: (value) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
  };
}

export function jsonSchemaOf(input: ToolInput): Record<string, unknown> {
  return input["~standard"].jsonSchema.input({ target: "draft-2020-12" });
}
