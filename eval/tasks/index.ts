import type { EvalTask } from "../task.js";
import { businessDays } from "./business-days/task.js";
import { cleanPhones } from "./clean-phones/task.js";
import { compoundInterest } from "./compound-interest/task.js";
import { dedupContacts } from "./dedup-contacts/task.js";
import { measurementSpread } from "./measurement-spread/task.js";
import { oddSquares } from "./odd-squares/task.js";
import { pagedOrders } from "./paged-orders/task.js";
import { regionTotals } from "./region-totals/task.js";
import { romanNumerals } from "./roman-numerals/task.js";
import { timeZones } from "./time-zones/task.js";
import { wordCount } from "./word-count/task.js";

const tasks: readonly EvalTask[] = [
  businessDays,
  cleanPhones,
  compoundInterest,
  dedupContacts,
  measurementSpread,
  oddSquares,
  pagedOrders,
  regionTotals,
  romanNumerals,
  timeZones,
  wordCount,
];

/** All tasks, the easy ones first. */
export const evalTasks = tasks.toSorted((a, b) => a.level - b.level);

export function taskNamed(name: string): EvalTask {
  const task = evalTasks.find((each) => each.name === name);
  if (task !== undefined) return task;
  throw new TypeError(`There is no task ${name}. There are: ${evalTasks.map((each) => each.name).join(", ")}.`);
}
