export * from "./public.js";
export { CODING_STEPS } from "./coding-task.js";
