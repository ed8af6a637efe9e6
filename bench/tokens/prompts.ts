import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

import { codeSystemPrompt } from "../../src/agent/code/prompts.js";
import { mapSchemas } from "../../src/tools/schema/index.js";
import { toolStubs, type JsonSchema, type Tool, type ToolCallable } from "../../src/tools/index.js";

/** Tokens that the same tools take in a prompt, by how they are told of. */
export interface PromptTokens {
  readonly what: string;
  readonly callables: number;
  /** As the `tools` of a request with function calling: a JSON Schema each. */
  readonly functionCalling: number;
  /** As Python stubs with all types and docs. */
  readonly stubs: number;
  /** The section on tools of the agent's system prompt. */
  readonly section: number;
  /** The whole system prompt of the agent. */
  readonly prompt: number;
}

export function promptTokens(what: string, tools: readonly Tool[]): PromptTokens {
  const prompt = codeSystemPrompt({ tools, skills: [], files: [] });
  const without = codeSystemPrompt({ tools: [], skills: [], files: [] });
  return {
    what,
    callables: tools.reduce((sum, { callables }) => sum + callables.length, 0),
    functionCalling: countAll(functionDefinitions(tools)),
    stubs: countAll([toolStubs(tools)]),
    section: countTokens(prompt) - countTokens(without),
    prompt: countTokens(prompt),
  };
}

/** One function a callable, as chat APIs take them. */
function* functionDefinitions(tools: readonly Tool[]): Generator<string> {
  for (const tool of tools) {
    for (const callable of tool.callables) {
      const name = callable.name === tool.name ? tool.name : `${tool.name}_${callable.name}`;
      const { description } = callable;
      yield JSON.stringify({ type: "function", function: { name, description, parameters: parametersOf(callable) } });
    }
  }
}

/** Only the definitions that the arguments refer to. */
function parametersOf({ inputSchema = { type: "object" } }: ToolCallable): JsonSchema {
  const { $defs = {}, ...own } = inputSchema;
  const used = new Map<string, JsonSchema | boolean>();
  const follow = (schema: JsonSchema | boolean): void => {
    mapSchemas(schema, (part) => {
      const name = part.$ref?.replace("#/$defs/", "");
      const target = name === undefined ? undefined : $defs[name];
      if (name !== undefined && target !== undefined && !used.has(name)) {
        used.set(name, target);
        follow(target);
      }
      return part;
    });
  };
  follow(own);
  return used.size === 0 ? own : { ...own, $defs: Object.fromEntries(used) };
}

function countAll(texts: Iterable<string>): number {
  let sum = 0;
  for (const text of texts) {
    // Pieces between lines: the same count to a few tokens, in far less time.
    for (let start = 0; start < text.length;) {
      const cut = text.indexOf("\n", start + 20_000);
      const end = cut === -1 ? text.length : cut + 1;
      sum += countTokens(text.slice(start, end));
      start = end;
    }
  }
  return sum;
}

/** So many tools of one callable each: operations of real documents, again and again under further names. */
export function singleTools(documents: readonly Tool[], count: number): Tool[] {
  const operations = documents.flatMap((document) => document.callables.map((callable) => ({ document, callable })));
  return Array.from({ length: count }, (_, index) => {
    const { document, callable } = operations[(index * STRIDE) % operations.length]!;
    const round = Math.floor(index / operations.length);
    const name = `${document.name}_${callable.name}${round === 0 ? "" : `_${String(round + 1)}`}`;
    return { ...document, name, description: callable.description, callables: [renamed(callable, name)] };
  });
}

/** Operations far from each other first, so that ten of them are a mixture. It divides no number of operations here. */
const STRIDE = 101;

function renamed(callable: ToolCallable, name: string): ToolCallable {
  return { ...callable, name };
}
