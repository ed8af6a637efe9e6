import { z } from "zod";

import { ContractError } from "../contract/index.js";
import { isRecord, type Value } from "../protocol/index.js";
import { readJson } from "./decision.js";
import type { SlotBudget } from "./slot-budgets.js";

const Budget = z.object({
  explore: z.number().optional().catch(undefined),
  exploit: z.number().optional().catch(undefined),
  render: z.number().optional().catch(undefined),
  context_reads: z.number().optional().catch(undefined),
});

/** Rounds that a model may give itself for one stage of a slot. */
const MOST_ROUNDS = 10;

/**
 * What a model says that a turn delivers. The slots are looked at by whoever takes them.
 *
 * @throws {ContractError} where the reply says nothing of the kind.
 */
export function readModelContract(reply: string): {
  readonly slots: Value;
  readonly budgets: Readonly<Record<string, SlotBudget>>;
} {
  const json = readJson(reply);
  if (!isRecord(json)) throw new ContractError("invalid_output_contract", "The model named no contract for the turn.");
  // Slots alone are taken too.
  const { slots = json.budgets === undefined ? json : {}, budgets } = json;
  const hints = isRecord(budgets) ? Object.entries(budgets) : [];
  return { slots, budgets: Object.fromEntries(hints.map(([slot, budget]) => [slot, readBudget(budget)])) };
}

function readBudget(given: Value): SlotBudget {
  const { explore, exploit, render, context_reads: contextReads } = Budget.safeParse(given).data ?? {};
  const stages = Object.entries({ explore, exploit, render, contextReads });
  return Object.fromEntries(
    stages.flatMap(([stage, rounds]) => (rounds === undefined ? [] : [[stage, Math.min(MOST_ROUNDS, rounds)]])),
  );
}
