export {
  codingAgent,
  type CodingAgentOptions,
  type CodingOptions,
  type CodingReactAgentOptions,
} from "./coding-agent.js";
export type { CodingSession } from "./coding-session.js";
export { taskDiffName } from "./coding-task.js";
export { TestsNotRunError } from "./errors.js";
export type { TestReport } from "./test-report.js";
