export * from "./public.js";
export { ClientCalls } from "./client/client-calls.js";
export { NoInputError } from "./errors.js";
export { newRunId } from "./runs/run-plan.js";
export { LONGEST_TIMEOUT, SESSION_LIMITS } from "./check-options.js";
export { skillSignature } from "./calls/skill-signature.js";
