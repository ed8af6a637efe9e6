import type { ModelMessage, ModelTool, ModelToolCall } from "../src/model/index.js";
import { requestBody, RequestForms } from "../src/model/openai-request.js";
import { ARTIFACT_FUNCTIONS } from "./artifact-functions.js";
import type { Json } from "./checks.js";
import { bodyTokens, replyTokens, type Exchange } from "./count-bodies.js";
import { functionName, isSameCall, resultText, type MadeCall } from "./made-calls.js";
import { rounds } from "./rounds.js";

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
  /** The tools and skills, as functions. */
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
 *
 * It never errs: it makes no call that is refused at the door, and asks nothing again that only reads, has been answered,
 * and has no other answer, unless something may have changed in between. What a tool itself fails at, it fails at here too.
 */
export function functionCalls(calls: readonly MadeCall[]): MadeCall[] {
  const reached = calls.filter((call) => call.reached);
  const changes = reached.filter(({ isReadOnly, namespace }) => !isReadOnly && namespace !== "runs");
  const made: MadeCall[] = [];
  for (const call of reached.filter(isFunction)) {
    const known = made.findLast((other) => other.outcome.kind === "ok" && isSameCall(other, call));
    if (known === undefined || !isNeedless(call, { known, changes })) made.push(call);
  }
  return made;
}

function isFunction({ parent, namespace, name }: MadeCall): boolean {
  if (parent !== null) return false;
  if (namespace === "tools") return name !== "register";
  if (namespace === "skills") return name !== "create" && name !== "delete";
  return namespace === "artifacts" && ["save", "load", "list"].includes(name);
}

/** Those that the calls use: what an agent has no use for costs it nothing. */
function artifactFunctions(calls: readonly MadeCall[]): ModelTool[] {
  const used = new Set(calls.filter(({ namespace }) => namespace === "artifacts").map(functionName));
  return ARTIFACT_FUNCTIONS.filter(({ name }) => used.has(name));
}

/** Whether `known` has told all that the call tells. */
function isNeedless(
  { isReadOnly, outcome, ended }: MadeCall,
  { known, changes }: { readonly known: MadeCall; readonly changes: readonly MadeCall[] },
): boolean {
  if (!isReadOnly || (outcome.kind === "ok" && resultText(outcome) !== resultText(known.outcome))) return false;
  return !changes.some((change) => change.ended > known.began && change.began < ended);
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
  const tools = [...functions, ...artifactFunctions(steps.flat())];
  const body = (): unknown =>
    requestBody(model, { messages: [...messages], tools, temperature: 0 }, new RequestForms()).body;
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
