import type { AgentResult } from "../../../agent/index.js";
import { ModelClientError, ModelError } from "../../../model/index.js";
import { messageOf, shortenUnits } from "../../../protocol/index.js";
import type { AgentOutcome } from "../agent-parts.js";

/** Characters of what was found so far that the reader is shown of a task without an answer. */
const LONGEST_FINDING = 600;

/** How a task ended, for the reader. */
export function outcomeOf(result: AgentResult): AgentOutcome {
  const { state, answer, error, steps } = result;
  if (answer !== null) return { kind: "answered", text: answer.text };
  switch (state) {
    case "completed":
      return { kind: "answered", text: result.output };
    case "cancelled":
      return { kind: "stopped" };
    case "step_limit_reached":
      return failed(`The agent came to no answer in ${inWords(steps.length)}.${wasCut(result)}${foundSoFar(result)}`);
    case "budget_reached":
      return failed(`${messageOf(error)}${foundSoFar(result)}`);
    case "error":
      return failureOf(error);
  }
}

/** What failed, and whether other settings of the model may mend it. */
export function failureOf(error: unknown): AgentOutcome {
  const isOfModel = error instanceof ModelError && !(error instanceof ModelClientError);
  return { kind: "failed", message: messageOf(error), isOfModel };
}

function failed(message: string): AgentOutcome {
  return { kind: "failed", message, isOfModel: false };
}

function inWords(steps: number): string {
  return steps === 1 ? "the one step that it had" : `the ${String(steps)} steps that it had`;
}

function wasCut({ steps }: AgentResult): string {
  const isCut = steps.at(-1)?.observation?.startsWith("Your reply was cut off") ?? false;
  return isCut ? " The last reply of the model was cut off at its server's limit of length." : "";
}

function foundSoFar({ steps }: AgentResult): string {
  const run = steps.findLast((step) => step.run?.error === null && step.run.stdout.trim() !== "")?.run;
  const text = run?.stdout.trim() ?? "";
  return text === "" ? "" : ` What it found last: ${shortenUnits(text, LONGEST_FINDING)}`;
}
