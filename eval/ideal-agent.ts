import type { ModelMessage, ModelTool, ModelToolCall } from "../src/model/index.js";
import { requestBody, RequestForms } from "../src/model/openai-request.js";
import type { Json } from "./checks.js";
import { bodyTokens, replyTokens, type Exchange } from "./count-bodies.js";
import type { MadeCall } from "./made-calls.js";

/** What a run is measured against: an agent that makes the same calls as functions, and never errs. */
export interface IdealRun {
  readonly steps: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface IdealParts {
  readonly model: string;
  /** The task as the agent was told of it. */
  readonly task: string;
  /** What can be called, as functions. */
  readonly functions: readonly ModelTool[];
  readonly calls: readonly MadeCall[];
  /** Content of the workspace, which the ideal agent knows for nothing. */
  readonly files: readonly string[];
  readonly answer: Json;
}

/** How long the prompt of a JSON agent has to be at the least. */
const PROMPT =
  "You solve tasks by calling the functions you are given. Call several at once where none needs the result of another. " +
  "When you have the answer, reply with it and call nothing.";

/** One call a step, and as few steps as the calls allow. */
export async function idealRuns(
  parts: IdealParts,
): Promise<{ readonly single: IdealRun; readonly parallel: IdealRun }> {
  const calls = functionCalls(parts.calls);
  return {
    single: await measure(
      calls.map((call) => [call]),
      parts,
    ),
    parallel: await measure(rounds(calls, parts), parts),
  };
}

/**
 * The calls that a JSON agent would make too: of tools, of skills, and those that save, load and list artifacts. What a
 * skill or a tool called by itself is not the agent's, and neither is what only code can do, such as to define a tool.
 */
export function functionCalls(calls: readonly MadeCall[]): MadeCall[] {
  return calls.filter(({ parent, namespace, name }) => {
    if (parent !== null) return false;
    if (namespace === "tools") return name !== "register";
    if (namespace === "skills") return name !== "create" && name !== "delete";
    return namespace === "artifacts" && ["save", "load", "list"].includes(name);
  });
}

/** The name of the function that stands for a call. */
export function functionName({ namespace, name }: Pick<MadeCall, "namespace" | "name">): string {
  if (namespace === "artifacts") return name === "list" ? "list_artifacts" : `${name}_artifact`;
  return name.replaceAll(".", "_");
}

/**
 * The calls in as few rounds as they allow: each in the round after the last one that it needs.
 *
 * What a call needs is read off its arguments. A value that stands in the task, in what the functions say of themselves
 * or in a file was known from the start. One that stands in the result of earlier calls needs the first of them. One that
 * stands nowhere was computed, from everything that had come back when the call began; but whole numbers up to 100 are
 * taken to be counted. A call that is made again after it failed needs the one that failed.
 */
export function rounds(
  calls: readonly MadeCall[],
  { task, functions, files }: Pick<IdealParts, "task" | "functions" | "files">,
): MadeCall[][] {
  const known = new KnownText([task, JSON.stringify(functions), ...files]);
  const roundOf = new Map<string, number>();
  for (const call of calls) {
    const before = calls.filter(({ ended }) => ended < call.began);
    const needs = neededBy(call, { before, known });
    const round = Math.max(-1, ...needs.map(({ id }) => roundOf.get(id) ?? 0)) + 1;
    roundOf.set(call.id, round);
  }
  const last = Math.max(-1, ...roundOf.values());
  return Array.from({ length: last + 1 }, (_, round) => calls.filter(({ id }) => roundOf.get(id) === round));
}

function neededBy(
  call: MadeCall,
  { before, known }: { readonly before: readonly MadeCall[]; readonly known: KnownText },
): MadeCall[] {
  const needs = new Set<MadeCall>();
  for (const value of leaves(call.arguments)) {
    if (known.has(value)) continue;
    const source = before.find(({ outcome }) => new KnownText([resultText(outcome)]).has(value));
    if (source !== undefined) needs.add(source);
    else if (!isCountable(value)) for (const each of before) needs.add(each);
  }
  const failed = before.findLast((other) => other.outcome.kind === "error" && isSame(other, call));
  if (failed !== undefined) needs.add(failed);
  return [...needs];
}

/** Hours 0 to 11, pages 1 to 5: nobody computes them. */
function isCountable(value: string | number): boolean {
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= 100;
}

function isSame(one: MadeCall, other: MadeCall): boolean {
  return functionName(one) === functionName(other) && JSON.stringify(one.arguments) === JSON.stringify(other.arguments);
}

/** The values within; keys are the functions' own. */
function* leaves(value: Json): Iterable<string | number> {
  if (typeof value === "string" || typeof value === "number") yield value;
  else if (typeof value === "object" && value !== null) for (const item of Object.values(value)) yield* leaves(item);
}

/** Texts in which a value may stand as a word of its own. */
class KnownText {
  readonly #text: string;

  constructor(texts: readonly string[]) {
    this.#text = texts.join("\n");
  }

  has(value: string | number): boolean {
    const text = String(value);
    if (text.trim() === "") return true;
    for (let at = this.#text.indexOf(text); at >= 0; at = this.#text.indexOf(text, at + 1)) {
      if (!isInsideWord(this.#text, at, text)) return true;
    }
    return false;
  }
}

/** 12 does not stand in 2012, 1.5 not in 11.5, and "a" not in "and". */
function isInsideWord(within: string, at: number, text: string): boolean {
  const [before, after] = [within.slice(Math.max(0, at - 2), at), within.slice(at + text.length, at + text.length + 2)];
  const [first, last] = [text.charAt(0), text.slice(-1)];
  const joinsBefore = /\w/.test(first) && (/\w$/.test(before) || (/\d/.test(first) && /\d[.,]$/.test(before)));
  const joinsAfter = /\w/.test(last) && (/^\w/.test(after) || (/\d/.test(last) && /^[.,]\d/.test(after)));
  return joinsBefore || joinsAfter;
}

function resultText(outcome: MadeCall["outcome"]): string {
  if (outcome.kind === "error") return outcome.message;
  return typeof outcome.value === "string" ? outcome.value : JSON.stringify(outcome.value);
}

/** Counts the bodies that such an agent would send, and its replies, as those of the other agents are counted. */
async function measure(steps: readonly (readonly MadeCall[])[], parts: IdealParts): Promise<IdealRun> {
  let inputTokens = 0;
  let outputTokens = 0;
  for (const { body, reply } of idealExchanges(steps, parts)) {
    inputTokens += await bodyTokens(body);
    outputTokens += await replyTokens(reply);
  }
  return { steps: steps.length + 1, inputTokens, outputTokens };
}

/** What goes over the wire, step by step. */
export function* idealExchanges(
  steps: readonly (readonly MadeCall[])[],
  { model, task, functions, answer }: IdealParts,
): Iterable<Pick<Exchange, "body" | "reply">> {
  const messages: ModelMessage[] = [
    { role: "system", content: PROMPT },
    { role: "user", content: task },
  ];
  const body = (): unknown =>
    requestBody(model, { messages: [...messages], tools: functions, temperature: 0 }, new RequestForms()).body;
  let made = 0;
  for (const step of steps) {
    const toolCalls: ModelToolCall[] = step.map((call) => {
      made += 1;
      return { id: `call_${String(made)}`, name: functionName(call), arguments: JSON.stringify(call.arguments) };
    });
    yield { body: body(), reply: { text: "", toolCalls } };
    messages.push({ role: "assistant", content: "", toolCalls });
    step.forEach((call, index) => {
      messages.push({ role: "tool", content: answerOf(call), toolCallId: toolCalls[index]?.id ?? "" });
    });
  }
  yield { body: body(), reply: { text: typeof answer === "string" ? answer : JSON.stringify(answer), toolCalls: [] } };
}

function answerOf({ namespace, name, outcome }: MadeCall): string {
  if (outcome.kind === "ok" && namespace === "artifacts" && name === "save") return "Saved.";
  return resultText(outcome);
}
