export type { TurnDecision, DecidedCall, DecidedMapping, Strategy as TurnStrategy } from "./decision.js";
export { DecisionLoop, type TurnRun } from "./decision-loop.js";
export type { DecisionLoopOptions, TurnCallOptions, TurnRequest, TurnSession } from "./decision-loop-options.js";
export type {
  TurnEvent,
  TurnStarted,
  ContractSet,
  RoundStarted,
  DecisionMade,
  ViolationFound,
  MappingRefused,
  SlotFilled,
  ArtifactMade,
  WrapUpStarted,
  RoundEnded,
  TurnEnded,
} from "./events.js";
export type { SlotBudget } from "./slot-budgets.js";
export type { ExitReason, TurnError, TurnResult, TurnStatus } from "./turn-result.js";
export type { Violation as CallViolation } from "./verify-call.js";
