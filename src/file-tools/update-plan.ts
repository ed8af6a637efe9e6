import type { SchemaOutput, ToolContext } from "../tools/index.js";
import type { UPDATE_PLAN } from "./parameters.js";

type UpdatePlanInput = SchemaOutput<typeof UPDATE_PLAN>;

/**
 * Reports the plan: who listens to the session or to an agent hears it as the progress of the call, with the whole plan as
 * its piece.
 *
 * @throws {Error} when more than one step is in progress.
 */
export function updatePlan({ plan, explanation }: UpdatePlanInput, report: ToolContext["report"]): string {
  const working = plan.filter(({ status }) => status === "in_progress");
  if (working.length > 1)
    throw new Error(`one step at most can be in_progress, and ${String(working.length)} are: finish one first`);
  const [current] = working;
  report({
    progress: plan.filter(({ status }) => status === "completed").length,
    total: plan.length,
    ...(current === undefined ? {} : { message: current.step }),
    piece: {
      plan: plan.map(({ step, status }) => ({ step, status })),
      ...(explanation === undefined ? {} : { explanation }),
    },
  });
  return "Plan updated";
}
