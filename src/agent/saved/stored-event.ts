import { z } from "zod";

import { JournalEntry } from "../../dispatch/index.js";
import { OutputChunk, SignalType, type Value } from "../../protocol/index.js";
import type { ConversationItem } from "../conversation/conversation.js";
import type { AgentEvent, AgentNotice } from "../events/events.js";
import { EarlierError } from "./errors.js";
import type { ReadBack, ReadBackWord } from "./read-back.js";
import { StoredProgramNews } from "./stored-program-news.js";
import { StoredRun } from "./stored-run.js";

/** Whatever a value was when it was written; the codec has read it. */
const AnyValue = z.custom<Value>(() => true);
const bytes = z.instanceof(Uint8Array);
const count = z.number().nonnegative();

/** Milliseconds since 1970, as far as dates go. */
export const Moment = z.number().min(0).max(8.64e15);

const base = {
  id: z.string(),
  parentId: z.string().nullable(),
  taskId: z.string(),
  step: z.int().nullable(),
  sequence: z.int().nonnegative(),
  time: Moment,
};

const tokens = { inputTokens: count, outputTokens: count, isEstimated: z.boolean() };
const TokenUsage = z.strictObject(tokens);
const TaskUsage = z.strictObject({
  ...tokens,
  modelCalls: count,
  toolCalls: count,
  time: count,
  money: z.number().nullable(),
});
/** Infinite is a way to say that there is none. */
const bound = z.union([z.number(), z.literal(Infinity)]);
const Budget = z.strictObject({
  modelCalls: bound.exactOptional(),
  tokens: bound.exactOptional(),
  toolCalls: bound.exactOptional(),
  time: bound.exactOptional(),
  money: bound.exactOptional(),
});
const ModelName = z.strictObject({ name: z.string(), kind: z.string() });

const ToolCall = z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() });
const ContentPart = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("image"), mime: z.string(), data: bytes, text: z.string() }),
]);
// No system messages: what a file holds must not become a prompt.
const UserMessage = z.strictObject({
  role: z.literal("user"),
  content: z.union([z.string(), z.array(ContentPart)]),
});
const Reply = z.strictObject({
  role: z.literal("assistant"),
  content: z.string(),
  toolCalls: z.array(ToolCall).exactOptional(),
});
const ToolAnswer = z.strictObject({ role: z.literal("tool"), content: z.string(), toolCallId: z.string() });
const RememberedStep = z.strictObject({
  kind: z.literal("step"),
  reply: Reply,
  told: z.array(z.discriminatedUnion("role", [UserMessage, ToolAnswer])),
});
const Remembered: z.ZodType<ConversationItem> = z.discriminatedUnion("kind", [
  RememberedStep,
  z.strictObject({ kind: z.literal("turn"), message: UserMessage }),
]);

const Failure = z
  .strictObject({ name: z.string(), code: z.string(), message: z.string() })
  .transform((error) => new EarlierError(error));
const AgentAnswer = z.strictObject({
  value: AnyValue,
  text: z.string(),
  verifiedBy: z.string().nullable(),
  source: z.enum(["normal", "final_attempt"]),
});
const TaskSignal = z.strictObject({ step: z.int(), type: SignalType, message: z.string() });
const FinishReason = z.enum(["stop", "length", "filter", "refusal", "tool-calls", "other"]);
const LimitKind = z.enum(["steps", "modelCalls", "tokens", "toolCalls", "time", "money"]);
const EveryNoticeCode = z.enum([
  "PARAMETER_REFUSED",
  "PROMPT_CHANGED",
  "PROMPT_FILE",
  "TASK_NOT_SAVED",
  "TOOL_CALLING_MODE",
  "SESSION_NOT_CLOSED",
  "ARTIFACT_NOT_SAVED",
]);
const NoticeCode: ReadBackWord<AgentNotice["code"], typeof EveryNoticeCode> = EveryNoticeCode;

const Arguments = z.record(z.string(), AnyValue);
const SkillProposal = z.strictObject({
  name: z.string(),
  source: z.string(),
  reason: z.string(),
  arguments: Arguments,
  replaces: z.string().nullable(),
  difference: z.string(),
});
const SkillTrial = z.strictObject({
  calls: z.array(
    z.strictObject({
      name: z.string(),
      arguments: z.string(),
      outcome: z.enum(["returned", "raised", "refused"]),
      reason: z.string().nullable(),
    }),
  ),
  answered: count,
  refused: count,
  value: z.string().nullable(),
  printed: z.string(),
  error: z.strictObject({ type: z.string(), message: z.string() }).nullable(),
  elapsed: count,
});
const SkillOutcome = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none"), reason: z.string() }),
  z.strictObject({ kind: z.literal("saved"), version: z.int() }),
  z.strictObject({ kind: z.literal("unchanged") }),
  z.strictObject({ kind: z.literal("declined"), reason: z.string() }),
  z.strictObject({ kind: z.literal("rejected"), problems: z.array(z.string()) }),
  z.strictObject({ kind: z.literal("failed"), code: z.string(), reason: z.string() }),
  z.strictObject({ kind: z.literal("stopped") }),
]);
const LearnedSkill = z.strictObject({
  proposal: SkillProposal.nullable(),
  trial: SkillTrial.nullable(),
  outcome: SkillOutcome,
});

const Result = z.strictObject({
  taskId: z.string(),
  task: z.string(),
  state: z.enum(["completed", "step_limit_reached", "budget_reached", "cancelled", "error"]),
  output: z.string(),
  answer: AgentAnswer.nullable(),
  error: Failure.nullable(),
  // They are put in again from the events.
  steps: z.tuple([]),
  signals: z.tuple([]),
  usage: TaskUsage,
  elapsed: count,
  learned: LearnedSkill.exactOptional(),
});

const Interrupted = z.strictObject({
  step: z.int(),
  finished: z.array(JournalEntry),
  unknown: z.array(JournalEntry),
});

function event<Type extends AgentEvent["type"], Fields extends z.ZodRawShape>(type: Type, fields: Fields) {
  return z.strictObject({ ...base, type: z.literal(type), ...fields });
}

const EveryEvent = z.discriminatedUnion("type", [
  event("task-started", {
    task: z.string(),
    agent: z.enum(["code", "react"]),
    model: ModelName,
    maxSteps: count,
    budget: Budget,
    after: z.string().nullable(),
    before: z.array(Remembered),
  }),
  event("task-resumed", {
    model: ModelName,
    maxSteps: count,
    budget: Budget,
    interrupted: Interrupted.nullable(),
    gone: z.array(z.string()),
    unknown: z.array(z.string()),
    told: z.string().nullable(),
  }),
  event("step-started", { callsRunId: z.string().nullable() }),
  event("model-text", { text: z.string() }),
  event("model-reasoning", { text: z.string() }),
  event("model-retry", { attempt: z.int(), delay: z.number(), code: z.string(), message: z.string() }),
  event("pruned", { stepsKept: z.int() }),
  event("notice", {
    notice: z.strictObject({ code: NoticeCode, message: z.string(), parameter: z.string().exactOptional() }),
  }),
  event("model-ended", {
    reply: z.string(),
    toolCalls: z.array(ToolCall),
    finishReason: FinishReason,
    usage: TokenUsage,
  }),
  event("signal", { signal: TaskSignal }),
  event("question", { question: z.string(), answer: z.string().nullable() }),
  event("user-message", { text: z.string() }),
  event("code", { code: z.string(), runId: z.string(), ignoredBlocks: z.int() }),
  event("call", { entry: JournalEntry }),
  event("program", { runId: z.string(), news: StoredProgramNews }),
  event("output", { chunk: OutputChunk }),
  event("artifact", { name: z.string() }),
  event("answer", { answer: AgentAnswer }),
  event("step-ended", {
    run: StoredRun.nullable(),
    observation: z.string().nullable(),
    remembered: RememberedStep.nullable(),
    interrupted: Interrupted.exactOptional(),
    usage: TaskUsage,
  }),
  event("limit", { kind: LimitKind, limit: z.number(), message: z.string() }),
  // What the class of the error knew beside it is not kept.
  event("error", { name: z.string(), code: z.string(), message: z.string(), error: Failure }),
  event("skill-asked", { attempt: z.int(), told: z.string() }),
  event("skill-proposed", { proposal: SkillProposal }),
  event("skill-tried", { trial: SkillTrial.nullable(), problems: z.array(z.string()) }),
  event("skill-ended", { learned: LearnedSkill }),
  event("task-ended", { result: Result }),
]);

/** An event as it was saved. Errors come back as {@link EarlierError}, the end of a task without its steps. */
export const StoredEvent: ReadBack<AgentEvent, "type", typeof EveryEvent> = EveryEvent;
