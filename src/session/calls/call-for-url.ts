import { callableAlias, toolAlias, type Tool, type ToolCallable, type ToolDirectory } from "../../tools/index.js";

/** What tools are called that fetch whatever address they are given. */
const USUAL_NAMES = ["curl", "fetch", "http", "requests", "wget"];

/** What others say of themselves. */
const FETCHES = /\b(?:fetch(?:es)?|downloads?|https?|urls?|web ?pages?)\b/i;

/** Characters of a description that are read. */
const LONGEST = 1000;

/** How code calls a tool that fetches an address, `tools.curl.get(url=…)`. Undefined where it sees none. */
export function callForUrl(tools: ToolDirectory): string | undefined {
  const usual = USUAL_NAMES.flatMap((name) => tools.get(name) ?? []);
  for (const tool of usual) {
    const callable = tool.callables.find(takesUrlAlone);
    if (callable !== undefined) return callText(tool, callable);
  }
  const [first] = usual;
  if (first !== undefined) return `tools.${toolAlias(first)}`;
  for (const tool of tools.list()) {
    const callable = tool.callables.find((each) => takesUrlAlone(each) && (fetches(each) || fetches(tool)));
    if (callable !== undefined) return callText(tool, callable);
  }
  return undefined;
}

function fetches({ description }: { readonly description: string }): boolean {
  return FETCHES.test(description.slice(0, LONGEST));
}

function takesUrlAlone({ parameters }: ToolCallable): boolean {
  return (
    parameters.some(({ name }) => name === "url") &&
    parameters.every(({ name, required }) => name === "url" || !required)
  );
}

function callText(tool: Tool, { name }: ToolCallable): string {
  const own = `tools.${toolAlias(tool)}`;
  return `${name === tool.name ? own : `${own}.${callableAlias(tool, name)}`}(url=…)`;
}
