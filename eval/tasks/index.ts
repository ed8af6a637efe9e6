import type { EvalTask } from "../task.js";
import { oddSquares } from "./odd-squares/task.js";
import { pagedOrders } from "./paged-orders/task.js";
import { regionTotals } from "./region-totals/task.js";

/** All tasks, the easy ones first. */
export const evalTasks: readonly EvalTask[] = [oddSquares, regionTotals, pagedOrders].toSorted(
  (a, b) => a.level - b.level,
);

export function taskNamed(name: string): EvalTask {
  const task = evalTasks.find((each) => each.name === name);
  if (task !== undefined) return task;
  throw new TypeError(`There is no task ${name}. There are: ${evalTasks.map((each) => each.name).join(", ")}.`);
}
