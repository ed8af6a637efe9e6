import type { EvalTask } from "../task.js";
import { backpack } from "./backpack/task.js";
import { badRows } from "./bad-rows/task.js";
import { barChart } from "./bar-chart/task.js";
import { batchTasks } from "./batches.js";
import { budgetPlan } from "./budget-plan/task.js";
import { businessDays } from "./business-days/task.js";
import { citedAnswer } from "./cited-answer/task.js";
import { cleanPhones } from "./clean-phones/task.js";
import { compoundInterest } from "./compound-interest/task.js";
import { dedupContacts } from "./dedup-contacts/task.js";
import { diceWalk } from "./dice-walk/task.js";
import { flakySensor } from "./flaky-sensor/task.js";
import { incidentTimeline } from "./incident-timeline/task.js";
import { invoiceRun } from "./invoice-run/task.js";
import { joinCustomers } from "./join-customers/task.js";
import { lateParcel } from "./late-parcel/task.js";
import { loanReport } from "./loan-report/task.js";
import { logErrors } from "./log-errors/task.js";
import { measurementSpread } from "./measurement-spread/task.js";
import { notesIndex } from "./notes-index/task.js";
import { oddSquares } from "./odd-squares/task.js";
import { pagedOrders } from "./paged-orders/task.js";
import { photoBundle } from "./photo-bundle/task.js";
import { projectTasks } from "./projects.js";
import { reconcileLedgers } from "./reconcile-ledgers/task.js";
import { regionTotals } from "./region-totals/task.js";
import { reshapeCatalog } from "./reshape-catalog/task.js";
import { restock } from "./restock/task.js";
import { romanNumerals } from "./roman-numerals/task.js";
import { roomSchedule } from "./room-schedule/task.js";
import { schemaMigration } from "./schema-migration/task.js";
import { settleTrip } from "./settle-trip/task.js";
import { shipReport } from "./ship-report/task.js";
import { shortestPath } from "./shortest-path/task.js";
import { timeZones } from "./time-zones/task.js";
import { unitSkill } from "./unit-skill/task.js";
import { weatherFanOut } from "./weather-fan-out/task.js";
import { wordCount } from "./word-count/task.js";

const tasks: readonly EvalTask[] = [
  backpack,
  badRows,
  barChart,
  budgetPlan,
  businessDays,
  citedAnswer,
  cleanPhones,
  compoundInterest,
  dedupContacts,
  diceWalk,
  flakySensor,
  incidentTimeline,
  invoiceRun,
  joinCustomers,
  lateParcel,
  loanReport,
  logErrors,
  measurementSpread,
  notesIndex,
  oddSquares,
  pagedOrders,
  photoBundle,
  reconcileLedgers,
  regionTotals,
  reshapeCatalog,
  restock,
  romanNumerals,
  roomSchedule,
  schemaMigration,
  settleTrip,
  shipReport,
  shortestPath,
  timeZones,
  unitSkill,
  weatherFanOut,
  wordCount,
  ...projectTasks,
  ...batchTasks,
];

/** All tasks, the easy ones first. */
export const evalTasks = tasks.toSorted((a, b) => a.level - b.level);

export function taskNamed(name: string): EvalTask {
  const task = evalTasks.find((each) => each.name === name);
  if (task !== undefined) return task;
  throw new TypeError(`There is no task ${name}. There are: ${evalTasks.map((each) => each.name).join(", ")}.`);
}
