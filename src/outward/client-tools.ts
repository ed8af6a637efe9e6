import { z } from "zod";

import { summarize } from "../dispatch/index.js";
import type { OptionKinds } from "../options/index.js";
import { messageOf, VitrineError, type Value } from "../protocol/index.js";
import type { SessionClient } from "../session/index.js";
import { describeHit, describeTool, type ToolHints } from "../tools/index.js";
import { shortenResult, imagesOf, MAX_TEXT, renderRun } from "./render-run.js";
import { runCodeDescription } from "./run-code-description.js";
import type { ToolInput } from "./tool-input.js";

/** How far code goes that comes from outside. */
export interface ClientToolOptions {
  /** Milliseconds that a run may take; null for no limit. Default: the session's. */
  readonly timeout?: number | null;
  /** Whether packages can be added and removed; `add_dep` and `remove_dep` are left out otherwise. Default: true. */
  readonly canChangeDeps?: boolean;
  /** Characters of one answer. Default 30,000. */
  readonly maxLength?: number;
}

export const CLIENT_TOOLS: OptionKinds<ClientToolOptions> = {
  timeout: "number|null?",
  canChangeDeps: "boolean?",
  maxLength: "number?",
};

/** What a client is answered. An error is text, too: nothing is thrown. */
export interface ClientToolResult {
  readonly text: string;
  readonly isError: boolean;
  readonly images: readonly { readonly mimeType: string; /** In base64. */ readonly data: string }[];
}

/** What a foreign program may ask of a session, whatever way it asks. */
export interface ClientTool {
  readonly name: string;
  readonly description: string;
  readonly input: ToolInput;
  readonly hints: ToolHints;
  /** Arguments that do not fit, a refusal and a failure are results too: the program reads them and goes on. */
  call(args: unknown, signal?: AbortSignal): Promise<ClientToolResult>;
}

const READ_ONLY: ToolHints = { readOnly: true, idempotent: true };
/** Tools of a list that are given at once. */
const PAGE_SIZE = 100;

const query = z.string().describe("What to look for, in a few words.");
const limit = (standard: number): z.ZodType<number> => z.int().min(1).max(100).default(standard);

/** The eleven tools of py-code-mode's server. */
export function clientTools(client: SessionClient, options: ClientToolOptions = {}): ClientTool[] {
  const { canChangeDeps = true, maxLength = MAX_TEXT, timeout } = options;
  const tools: ClientTool[] = [];
  const offer = <Input extends z.ZodObject>(tool: Offer<Input>): void => {
    tools.push(clientTool(tool, maxLength));
  };

  offer({
    name: "run_code",
    description: runCodeDescription(client.trust),
    input: z.strictObject({ code: z.string().describe("Python. The value of the last expression is the result.") }),
    hints: { destructive: true },
    run: async ({ code }, signal) => {
      const run = await client.run(code, {
        ...(timeout === undefined ? {} : { timeout }),
        ...(signal === undefined ? {} : { signal }),
      });
      return { text: renderRun(run, maxLength), isError: !run.ok, images: imagesOf(run.outputs) };
    },
  });
  offer({
    name: "list_tools",
    description: "Lists the tools that code can call as `tools.<name>`, with their signatures, as JSON.",
    input: z.strictObject({
      limit: limit(PAGE_SIZE),
      offset: z.int().min(0).default(0).describe("How many to pass over."),
    }),
    hints: READ_ONLY,
    run: ({ limit: size, offset }) => {
      const all = client.listTools();
      const shown = all.slice(offset, offset + size);
      return listText(
        shown.map((tool) => describeTool(tool)),
        all.length - offset - shown.length,
      );
    },
  });
  offer({
    name: "search_tools",
    description: "Searches the tools that code can call, by name, description and tags. Answers as JSON.",
    input: z.strictObject({ query, limit: limit(10) }),
    hints: READ_ONLY,
    run: async ({ query: wanted, limit: size }) => {
      const { hits, more } = await client.searchTools(wanted, { limit: size });
      return listText(hits.map(describeHit), more);
    },
  });
  offer({
    name: "list_skills",
    description: "Lists the saved skills that code can run as `skills.<name>(…)`, as JSON.",
    input: z.strictObject({}),
    hints: READ_ONLY,
    run: async () => listText((await client.listSkills()).skills.map(describeSkill)),
  });
  offer({
    name: "search_skills",
    description: "Searches the saved skills by what they do. Answers as JSON.",
    input: z.strictObject({ query, limit: limit(5) }),
    hints: READ_ONLY,
    run: async ({ query: wanted, limit: size }) =>
      listText((await client.searchSkills(wanted, { limit: size })).map(describeSkill)),
  });
  offer({
    name: "create_skill",
    description:
      "Saves Python for later runs, as `skills.<name>(…)`. The source defines `run(…)`, plain or async, and may use " +
      "tools, skills and artifacts. A skill of that name is replaced.",
    input: z.strictObject({
      name: z.string().describe("A Python identifier."),
      source: z.string().describe("Python source that defines run()."),
      description: z.string().default("").describe("What it does, for those who search."),
    }),
    hints: { idempotent: true },
    run: async ({ name, source, description }, signal) => {
      const skill = await client.createSkill({ name, source, ...(description === "" ? {} : { description }) }, signal);
      return JSON.stringify(describeSkill(skill));
    },
  });
  offer({
    name: "delete_skill",
    description: "Deletes a saved skill.",
    input: z.strictObject({ name: z.string() }),
    hints: { destructive: true, idempotent: true },
    run: async ({ name }, signal) => String(await client.deleteSkill(name, signal)),
  });
  offer({
    name: "list_artifacts",
    description: "Lists what runs have saved, which code loads with `artifacts.load(name)`, as JSON.",
    input: z.strictObject({}),
    hints: READ_ONLY,
    run: async () => JSON.stringify((await client.listArtifacts()).map((artifact) => summarize({ ...artifact }))),
  });
  offer({
    name: "list_deps",
    description: "Lists the Python packages of this session, as JSON.",
    input: z.strictObject({}),
    hints: READ_ONLY,
    run: async () => JSON.stringify(await client.listDeps()),
  });
  if (!canChangeDeps) return tools;
  const packageName = z.string().describe("A package, with a version if need be: `attrs>=23`.");
  offer({
    name: "add_dep",
    description: "Installs a Python package for this session's code and remembers it.",
    input: z.strictObject({ package: packageName }),
    hints: { idempotent: true },
    run: async ({ package: spec }, signal) => summaryText(await client.addDep(spec, signal)),
  });
  offer({
    name: "remove_dep",
    description: "Takes a Python package off the session's list. It stays importable until the next start.",
    input: z.strictObject({ package: packageName }),
    hints: { idempotent: true },
    run: async ({ package: spec }, signal) => summaryText(await client.removeDep(spec, signal)),
  });
  return tools;
}

interface Offer<Input extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly hints: ToolHints;
  readonly run: (
    input: z.output<Input>,
    signal: AbortSignal | undefined,
  ) => string | ClientToolResult | Promise<string | ClientToolResult>;
}

function clientTool<Input extends z.ZodObject>(offer: Offer<Input>, maxLength: number): ClientTool {
  const { name, description, input, hints, run } = offer;
  return {
    name,
    description,
    input,
    hints,
    call: (args, signal) => callForClient({ name, input, maxLength }, args, (parsed) => run(parsed, signal)),
  };
}

/** Whatever comes of a call is a result: arguments that do not fit, a refusal, a failure. */
export async function callForClient<Input extends z.ZodObject>(
  { name, input, maxLength }: { readonly name: string; readonly input: Input; readonly maxLength: number },
  args: unknown,
  run: (parsed: z.output<Input>) => string | ClientToolResult | Promise<string | ClientToolResult>,
): Promise<ClientToolResult> {
  const parsed = input.safeParse(args ?? {});
  if (!parsed.success) return failure(`The arguments of ${name} do not fit: ${z.prettifyError(parsed.error)}`);
  try {
    const result = await run(parsed.data);
    return typeof result === "string" ? { text: shortenResult(result, maxLength), isError: false, images: [] } : result;
  } catch (error) {
    if (error instanceof VitrineError) return failure(shortenResult(`${error.name}: ${error.message}`, maxLength));
    return failure(shortenResult(messageOf(error), maxLength));
  }
}

function failure(reason: string): ClientToolResult {
  return { text: `Error: ${reason}`, isError: true, images: [] };
}

function listText(items: readonly Value[], more = 0): string {
  const json = JSON.stringify(items.map(summarize));
  return more <= 0 ? json : `${json}\n${String(more)} more: search, or ask for a later part of the list.`;
}

function describeSkill({ name, description, parameters }: SkillShape): Value {
  return { name, description, parameters: parameters.map((parameter) => ({ ...parameter })) };
}

interface SkillShape {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly object[];
}

function summaryText(value: Value): string {
  return JSON.stringify(summarize(value));
}
