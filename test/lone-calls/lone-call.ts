import type { Value } from "../../src/protocol/index.js";
import { ToolRegistry, type ToolAdapter, type ToolContext, type ToolDirectory } from "../../src/tools/index.js";

const notHere = (): Promise<never> => Promise.reject(new Error("not here"));

/** What an adapter gets when no session stands behind the call. */
export function loneContext(parts: Partial<ToolContext> = {}): ToolContext {
  return {
    callId: "call-1",
    runId: "run-1",
    signal: new AbortController().signal,
    runSkill: notHere,
    callTool: notHere,
    askAbout: notHere,
    report: () => undefined,
    ...parts,
  };
}

export interface LoneCall {
  readonly tool: string;
  /** Null for a tool that is called by itself. */
  readonly callable: string | null;
  readonly args?: Readonly<Record<string, Value>>;
}

/** Validates and makes a call as a session would, without its journal, rules and middleware. */
export async function callTool(
  tools: ToolDirectory,
  { tool, callable, args = {} }: LoneCall,
  context: Partial<ToolContext> = {},
): Promise<Value> {
  const prepared = tools.prepare(tool, callable);
  return prepared.invoke(await prepared.validate(args), loneContext(context));
}

/** The same, of a tool that is registered for this call alone. */
export function callAdapter(
  adapter: ToolAdapter,
  { callable, args = {} }: Omit<LoneCall, "tool">,
  context: Partial<ToolContext> = {},
): Promise<Value> {
  const registry = new ToolRegistry();
  registry.register(adapter);
  return callTool(registry, { tool: adapter.tool.name, callable, args }, context);
}
