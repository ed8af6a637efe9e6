export { shippedSeeds } from "./shipped-seeds.js";
export { shippedTasks, type ShippedTask } from "./shipped-tasks.js";
