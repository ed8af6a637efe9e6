import { expect } from "vitest";

import type { Value } from "../../src/protocol/index.js";
import { loadToolFiles, type HttpToolOptions, type ToolContext } from "../../src/tools/index.js";
import { callAdapter } from "./lone-call.js";

export interface RecipeCall extends HttpToolOptions, Partial<Pick<ToolContext, "signal" | "report">> {
  /** `base_url` of the file. */
  readonly base: string;
  /** Further lines of the file. */
  readonly file?: string;
}

/** Calls the one recipe of a tool of `type: http`; it is given as YAML in flow style. */
export async function callRecipe(
  recipe: string,
  args: Readonly<Record<string, Value>>,
  { base, file = "", signal, report, ...options }: RecipeCall,
): Promise<Value> {
  const text = `name: x\ntype: http\nbase_url: ${base}\n${file}\nrecipes:\n  get: ${recipe}\n`;
  const { adapters, problems } = loadToolFiles([{ file: "tools/x.yaml", text }], options);
  expect(problems).toEqual([]);
  const context = { ...(signal === undefined ? {} : { signal }), ...(report === undefined ? {} : { report }) };
  return callAdapter(adapters[0]!, { callable: "get", args }, context);
}
