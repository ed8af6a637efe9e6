// Loaded before the first test, whose time it would otherwise take.
import "../../../src/context/react-context.js";
import "../../../src/turn-loop/turn-loop.js";

import { openContext, type ReactContext } from "../../../src/context/index.js";
import type { Model, ModelMessage } from "../../../src/model/index.js";
import type { Skill } from "../../../src/skills/index.js";
import { memoryStorage, type StorageBackend } from "../../../src/storage/index.js";
import type { ToolAdapter } from "../../../src/tools/index.js";
import {
  DecisionLoop,
  type DecisionLoopOptions,
  type TurnCallOptions,
  type TurnEvent,
  type TurnRequest,
  type TurnResult,
  type TurnSession,
} from "../../../src/turn-loop/index.js";
import { pageSide } from "../agent/tool-session.js";

export const REPORT = { report: { type: "inline", format: "markdown", description: "What was found." } };

export const SKILL: Skill = {
  name: "clean_units",
  description: "Write units in one way.",
  source: 'def run(text: str) -> str:\n    return text.replace("metres", "m")\n',
  parameters: [],
  hash: "0123456789abcdef",
  version: 1,
};

/** A session without an interpreter. Calls of `send` are allowed, others are asked about by their hints. */
export function turnSession(tools: readonly ToolAdapter[], storage: StorageBackend = memoryStorage()): TurnSession {
  const { services, client } = pageSide(tools, { storage, caller: "client", approvals: { "tools.send": "allow" } });
  return {
    client,
    tools: { settled: () => Promise.resolve() },
    skills: { get: (name) => Promise.resolve(name === SKILL.name ? SKILL : null) },
    journal: services.journal,
  };
}

export interface ScriptedModel extends Model {
  /** What it was told, request by request. */
  readonly requests: (readonly ModelMessage[])[];
}

/** Says these things in turn, ten tokens read and five written for each. */
export function scripted(
  name: string,
  ...says: readonly (string | Readonly<Record<string, unknown>>)[]
): ScriptedModel {
  const requests: (readonly ModelMessage[])[] = [];
  return {
    name,
    kind: "recorded",
    requests,
    // oxlint-disable-next-line typescript/require-await -- a reply that is there at once
    complete: async function* ({ messages }) {
      requests.push([...messages]);
      const said = says[requests.length - 1];
      if (said === undefined) throw new Error(`${name} has nothing more to say.`);
      yield { type: "text", text: typeof said === "string" ? said : JSON.stringify(said) };
      yield { type: "done", finishReason: "stop", usage: { inputTokens: 10, outputTokens: 5 } };
    },
  };
}

export const decide = (action: string, strategy: string, more: Readonly<Record<string, unknown>> = {}) => ({
  action,
  strategy,
  focus_slot: "report",
  ...more,
});
export const calls = (toolId: string, params: unknown, name: string, more: Readonly<Record<string, unknown>> = {}) =>
  decide("call_tool", "exploit", { tool_call: { tool_id: toolId, params, out_artifacts_spec: [{ name }] }, ...more });
export const maps = (path: string) => ({
  map_slots: [{ slot_name: "report", source_path: `current_turn.artifacts.${path}` }],
});
export const complete = (more = {}) => decide("complete", "exit", { completion_summary: "It is done.", ...more });

export interface Played {
  readonly result: TurnResult;
  readonly events: readonly TurnEvent[];
  readonly context: ReactContext;
}

export interface PlayOptions extends Omit<DecisionLoopOptions, "context">, TurnCallOptions {
  readonly storage?: StorageBackend;
  readonly context?: ReactContext;
  readonly request?: TurnRequest;
}

export async function play({
  storage = memoryStorage(),
  context: given,
  request = { prompt: "Sum it up.", contract: REPORT },
  signal = new AbortController().signal,
  task,
  ...options
}: PlayOptions): Promise<Played> {
  const context = given ?? (await openContext({ storage, id: "talk" }));
  const run = await new DecisionLoop({ ...options, context }).run(request, { signal, task });
  return { result: await run.result, events: run.events, context };
}

export function all<T extends TurnEvent["type"]>(
  events: readonly TurnEvent[],
  type: T,
): Extract<TurnEvent, { type: T }>[] {
  return events.filter((event): event is Extract<TurnEvent, { type: T }> => event.type === type);
}

/** The records as they are on the disk at this moment. */
export async function copyOf(storage: StorageBackend): Promise<StorageBackend> {
  const records = new Map<string, Uint8Array>();
  for await (const key of storage.keys("")) records.set(key, (await storage.get(key)) ?? new Uint8Array());
  const copy = memoryStorage();
  await copy.write(records);
  return copy;
}
