import { shortenUnits } from "../../protocol/index.js";
import type { NamedTool } from "../../session/index.js";
import { callableByAlias, toolAlias, type Tool } from "../../tools/index.js";

/** Hints that one error is worth. */
const MOST_HINTS = 3;
/** Characters of a hint. */
const LONGEST_HINT = 1_000;

/** The documentation of the tools that the code calls, for a model whose code has failed. */
export function toolHints(named: readonly NamedTool[], tools: readonly Tool[]): string[] {
  const hints = named.flatMap(({ tool: alias, callable: name }) => {
    const tool = tools.find((each) => toolAlias(each) === alias);
    if (tool === undefined) return [];
    const callable = name === null ? undefined : callableByAlias(tool, name);
    const documentation = (callable?.description ?? tool.description).trim();
    if (documentation === "") return [];
    return [
      `Hint - tools.${alias}${name === null ? "" : `.${name}`}() docstring:\n${shortenUnits(documentation, LONGEST_HINT)}`,
    ];
  });
  return hints.slice(0, MOST_HINTS);
}
