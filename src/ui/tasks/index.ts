export { shippedSeeds } from "./shipped-seeds.js";
export { shippedTasks, type ShippedTask, type TranscriptsOfWriters } from "./shipped-tasks.js";
