import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { asSchema } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";

import { aiSdkFileTools, fileToolFunctions, serveMcp } from "../../../src/index.js";
import { codingPage, EIGHT } from "./coding-page.js";

const page = codingPage();

/** A parameter as the specification has it: its type, and its default where that is a value. */
type Parameter = readonly [type: string, standard?: unknown];

const COMMAND: Readonly<Record<string, Parameter>> = {
  workdir: ["string"],
  timeout_ms: ["integer", 10_000],
  with_escalated_permissions: ["boolean"],
  justification: ["string"],
};

/** By tool the parameters in their order; the first is the one that is required. From test/spec/exec-and-stubs.md. */
const SPECIFIED: Readonly<Record<string, Readonly<Record<string, Parameter>>>> = {
  shell: { command: ["array of string"], ...COMMAND },
  shell_command: { command: ["string"], ...COMMAND },
  read_file: {
    file_path: ["string"],
    offset: ["integer", 1],
    limit: ["integer", 2000],
    mode: ["slice|indentation", "slice"],
    indentation: ["object"],
  },
  list_dir: { dir_path: ["string"], offset: ["integer", 1], limit: ["integer", 25], depth: ["integer", 2] },
  grep_files: { pattern: ["string"], include: ["string"], path: ["string"], limit: ["integer", 100] },
  view_image: { path: ["string"] },
  update_plan: { plan: ["array of object"], explanation: ["string"] },
  apply_patch: { input: ["string"] },
};

const INDENTATION: Readonly<Record<string, Parameter>> = {
  anchor_line: ["integer"],
  max_levels: ["integer", 0],
  include_siblings: ["boolean", false],
  include_header: ["boolean", true],
  max_lines: ["integer"],
};

const STEP: Readonly<Record<string, Parameter>> = { step: ["string"], status: ["pending|in_progress|completed"] };

interface Field {
  readonly type?: string | undefined;
  readonly enum?: readonly string[] | undefined;
  readonly default?: unknown;
  readonly description?: string | undefined;
  readonly items?: Field | undefined;
  readonly properties?: Readonly<Record<string, Field>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: boolean | undefined;
}

const Field: z.ZodType<Field> = z.lazy(() =>
  z.strictObject({
    type: z.string().optional(),
    enum: z.array(z.string()).optional(),
    default: z.unknown().optional(),
    description: z.string().optional(),
    items: Field.optional(),
    maxItems: z.int().optional(),
    maxLength: z.int().optional(),
    properties: z.record(z.string(), Field).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.boolean().optional(),
  }),
);

function parameterOf({ type, enum: values, items, default: standard }: Field): Parameter {
  const name = values?.join("|") ?? (items === undefined ? (type ?? "") : `${type ?? ""} of ${items.type ?? ""}`);
  return standard === undefined ? [name] : [name, standard];
}

function parametersOf({ properties = {} }: Field): Readonly<Record<string, Parameter>> {
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, parameterOf(field)]));
}

/** The schemas of every form, by tool. */
async function everyForm(): Promise<Readonly<Record<string, Map<string, unknown>>>> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const service = await serveMcp(page.session, ours, { fileTools: "only" });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(theirs);
  const { tools } = await client.listTools();
  await client.close();
  await service.close();
  const ai = aiSdkFileTools(page.session, { images: true });
  const functions = fileToolFunctions(page.session, { images: true }).definitions;
  const ofAi = Object.entries(ai).map(async ([name, { inputSchema }]): Promise<[string, unknown]> => [
    name,
    await asSchema(inputSchema).jsonSchema,
  ]);
  return {
    MCP: new Map(tools.map(({ name, inputSchema }) => [name, inputSchema])),
    OpenAI: new Map(functions.map(({ function: { name, parameters } }) => [name, parameters])),
    "AI SDK": new Map(await Promise.all(ofAi)),
  };
}

test("names, parameters, types, defaults and what is required are those of the specification in every form", async () => {
  for (const [form, schemas] of Object.entries(await everyForm())) {
    expect([...schemas.keys()], form).toEqual(EIGHT);
    for (const [name, parameters] of Object.entries(SPECIFIED)) {
      const schema = Field.parse(schemas.get(name));
      expect(parametersOf(schema), `${form} ${name}`).toEqual(parameters);
      expect(schema, `${form} ${name}`).toMatchObject({
        type: "object",
        required: Object.keys(parameters).slice(0, 1),
        additionalProperties: false,
      });
      for (const field of Object.values(schema.properties ?? {})) expect(field.description).toMatch(/\.$/);
    }
    const { indentation } = Field.parse(schemas.get("read_file")).properties ?? {};
    expect(parametersOf(indentation ?? {})).toEqual(INDENTATION);
    expect(indentation).toMatchObject({ additionalProperties: false });
    const steps = Field.parse(schemas.get("update_plan")).properties?.plan?.items;
    expect(parametersOf(steps ?? {})).toEqual(STEP);
    expect(steps).toMatchObject({ required: ["step", "status"], additionalProperties: false });
  }
});

test("who is handed a schema may write to it, and the next one is whole", () => {
  const functions = fileToolFunctions(page.session);
  const [first] = functions.definitions;
  if (first !== undefined) delete first.function.parameters.properties;

  expect(functions.definitions[0]?.function.parameters).toMatchObject({
    properties: { file_path: { type: "string" } },
  });
});
