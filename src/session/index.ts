export * from "./public.js";
export { BridgeArgumentError } from "./calls/bridge-handlers.js";
export { ClientCalls } from "./client/client-calls.js";
export { NoHelperError, NoInputError, NoRunError } from "./errors.js";
export { signalText } from "./runs/run-result.js";
export { newRunId } from "./runs/run-plan.js";
export { LONGEST_TIMEOUT, SESSION_LIMITS } from "./check-options.js";
export { SkillFailedError } from "./calls/skill-runs.js";
export { skillSignature } from "./calls/skill-signature.js";
