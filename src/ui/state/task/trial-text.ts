import type { SkillTrial } from "../../../agent/index.js";
import { formatElapsed } from "../text/format.js";

/** How a trial went, call by call. */
export function trialText(trial: SkillTrial | null): readonly string[] {
  if (trial === null) return ["It did not come to a trial."];
  const { calls, value, error, elapsed, printed } = trial;
  return [
    ...calls.map(({ name, arguments: args, outcome, reason }) => {
      const call = `${name} with ${args}`;
      if (outcome === "returned") return `${call}: answered as in the task.`;
      return outcome === "raised"
        ? `${call}: failed as in the task, ${reason ?? ""}`
        : `${call}: refused. ${reason ?? ""}`;
    }),
    ...(printed === "" ? [] : [`Printed: ${printed}`]),
    error === null
      ? `Returned ${value ?? "None"} after ${formatElapsed(elapsed)}.`
      : `Failed with ${error.type}: ${error.message}`,
  ];
}
