import type { TrustLevel, Value } from "../protocol/index.js";
import type {
  CallingTask,
  CallProposal,
  FileDecision,
  ProposalAnswer,
  ToolHints,
  ToolProgress,
} from "../tools/index.js";

/**
 * Who made a call: session code, an agent, the page itself, a tool in the course of another call, or a program of
 * somebody else that the page serves (an MCP client, for instance) and that code which it sent.
 */
export type Caller = "code" | "agent" | "page" | "tool" | "client";

/** `runs` is for the runs themselves, which the journal keeps beside their calls. */
export type CallNamespace = "tools" | "skills" | "artifacts" | "deps" | "runs";

/** The arguments of a call, by name. */
export type CallArguments = Readonly<Record<string, Value>>;

/** A skill that somebody wants to save, beside what is there. */
export interface SkillDraft {
  readonly name: string;
  readonly source: string;
  /** What it will be listed with; empty where neither who made it nor its docstring says anything. */
  readonly description: string;
  /** The source that it would replace; null where there is no skill of that name. */
  readonly before: string | null;
  /** What is known about it, as sentences: how it is called, how a trial of it went. */
  readonly notes: readonly string[];
}

/** A call as its maker describes it. */
export interface CallDescription {
  readonly namespace: CallNamespace;
  /** Within the namespace: `echo.shout`, `save`. */
  readonly name: string;
  readonly arguments: CallArguments;
  readonly hints: ToolHints;
  readonly tags: readonly string[];
  readonly runId: string;
  /** The call in whose course this one is made. */
  readonly parent: string | null;
  readonly caller: Caller;
  /** Whether it belongs to an agent's run, or to a later one of the same interpreter, whoever makes it. Default: false. */
  readonly inAgentRun?: boolean;
  /** The task of the agent in whose course it is made; undefined where no agent works. */
  readonly task?: CallingTask | undefined;
  readonly trust: TrustLevel;
  /** Of a call to a tool of session code: which definition of that name it is. */
  readonly definitionId?: string | undefined;
  /** Of a call to a tool: the hosts that it may be sent to, where that is known. */
  readonly hosts?: readonly string[] | undefined;
  /** Of a call to a tool that has words of its own for a person's no. */
  readonly refusal?: string | undefined;
  /** Of a call to a tool that asks for itself, in the course of the call: see `Tool.asksItself`. */
  readonly asksItself?: boolean | undefined;
  /**
   * Whether it waits for the interpreter to be free, as a call of the page to a tool of session code. Such a call takes
   * no permit of the calls that work at a time: those of the run that it waits for need them.
   */
  readonly waitsForInterpreter?: boolean;
  /** Throws when the caller may not see what is called. */
  readonly scope?: () => void;
  /** The skill that it would save, for a person who is asked about it. */
  readonly draft?: () => Promise<SkillDraft>;
  /** Checks the arguments, and returns those to go on with. What it throws ends the call. */
  readonly validate?: (args: CallArguments) => CallArguments | Promise<CallArguments>;
}

/** A call on its way through the stages. */
export interface Call extends CallDescription {
  /** The id of its journal entry. */
  readonly id: string;
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  /** Adds to the call's journal entry what a middleware did about it. After the call has ended it does nothing. */
  readonly note: (note: CallNote) => void;
  /**
   * The files that it would write, where its tool asks about them in the course of the call. A policy that decides about the
   * call before it begins finds none.
   */
  readonly proposal?: CallProposal;
}

/** What a middleware may note about a call. */
export interface CallNote {
  /** The result is one of an earlier call, so many milliseconds old, and nothing was called. */
  readonly cached?: number;
}

/** Decides whether a call is made. It may wait for a person; throwing ends the call as well. */
export type Policy = (call: Call) => Decision | Promise<Decision>;

/** `ask` leaves it to a person; `reason` tells them why they are asked. */
export type Decision =
  | { readonly kind: "allow" }
  | { readonly kind: "deny"; readonly reason: string }
  | { readonly kind: "ask"; readonly reason: string };

/** What a person, or what they wanted remembered, says to a question. */
export type AnsweredDecision = Decision & {
  /** About files of the call's proposal, by path, where it is allowed. */
  readonly files?: Readonly<Record<string, FileDecision>> | undefined;
  /** What a person said of it, where it is allowed. */
  readonly said?: string | undefined;
};

/**
 * Wraps every call: may look, answer in its place, call `next` with other
 * arguments, or again. Of several the first is outermost.
 *
 * It is handed calls that were validated and agreed to. Of a call it may change the arguments, and give it a narrower
 * `signal`; other arguments are validated again and have to be agreed to anew, by the policy, the rules and a person,
 * before the adapter gets them.
 */
export type Stage = (call: Call, next: (call: Call) => Promise<Value>) => Promise<Value>;

/** What does the work in the end. */
export type Invoke = (args: CallArguments, context: InvokeContext) => Promise<Value>;

export interface InvokeContext {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Tells those who listen how far the call has come. After it has ended it does nothing. */
  readonly report: (progress: ToolProgress) => void;
  /** See `ToolContext.askAbout`. */
  readonly askAbout: (proposal: CallProposal) => Promise<ProposalAnswer>;
}

/** What a call under way tells of itself. It is not journalled. */
export interface CallProgress extends ToolProgress {
  /** The id of the call's journal entry. */
  readonly callId: string;
  readonly runId: string;
  readonly namespace: CallNamespace;
  /** Within the namespace, as in the journal. */
  readonly name: string;
}
