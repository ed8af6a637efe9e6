import type { ToolAdapter } from "../tools/index.js";

/** How a person's no reads, in the words that coding models know. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ["shell", "exec command rejected by user"],
  ["shell_command", "exec command rejected by user"],
  ["apply_patch", "patch rejected by user"],
]);

/** The tool, whose calls are refused in its own words where there are any. */
export function refusedInOwnWords(adapter: ToolAdapter): ToolAdapter {
  const refusal = REFUSALS.get(adapter.tool.name);
  if (refusal === undefined) return adapter;
  return {
    tool: { ...adapter.tool, refusal },
    validate: (callable, args) => adapter.validate?.(callable, args) ?? args,
    call: (callable, args, context) => adapter.call(callable, args, context),
  };
}
