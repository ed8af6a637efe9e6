import { OptionError } from "../options/index.js";
import { unlessAborted, type TrustLevel, type Value } from "../protocol/index.js";
import type { AgentOnPath, FileDecision, FileProposal, ToolHints } from "../tools/index.js";
import type { AnsweredDecision, Call, CallArguments, Caller, Decision, SkillDraft } from "./call.js";
import { RefusedCalls, type AskedCall } from "./refused-calls.js";

/** Something that a session of a stronger seal wrote, and that a weaker one is about to use. */
export interface ForeignContent {
  readonly kind: "skill" | "file" | "package";
  /** The level of the session that wrote it. */
  readonly trust: TrustLevel;
  readonly items: readonly ForeignItem[];
}

/** One thing of others that a call would bring to life. */
export interface ForeignItem {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Names this content and no other: what a person has agreed to once is not asked about again. */
  readonly key: string;
}

/** A question to a person: may this be done? */
export interface ApprovalRequest {
  /** With its namespace: `tools.mail.send`. */
  readonly name: string;
  /** As the call will be made with them. */
  readonly arguments: CallArguments;
  readonly hints: ToolHints;
  readonly caller: Caller;
  /** Whether an agent's code asks, or code of an interpreter in which an agent's code ran before. */
  readonly inAgentRun: boolean;
  /** The agents inside one another whose work led here, the outermost first; empty where no agent's task goes on. */
  readonly path: readonly AgentOnPath[];
  readonly runId: string;
  /** The journal entry of the call that waits; null for what is asked before a run begins. */
  readonly callId: string | null;
  /** The level of the session that asks. */
  readonly trust: TrustLevel;
  /** Why a person is asked, as a sentence. */
  readonly reason: string;
  /** What a person has to see before it is used here; null for a question about a call alone. */
  readonly foreign: ForeignContent | null;
  /** What `skills.create` would save; absent where a call saves no skill. */
  readonly skill?: SkillDraft;
  /** What the call would write; absent where it writes no file, or does not say so. Each may be decided about by itself. */
  readonly files?: readonly FileProposal[];
  /** Differs for each tool that session code has defined, also under the same name. Absent for a tool of the page. */
  readonly definitionId?: string;
  /** The hosts that the tool sends its calls to, with their ports; absent where nothing is known of any. */
  readonly hosts?: readonly string[];
}

/** What a person said about a call. `remember` lets equal calls pass until the run, or the session, ends. */
export interface ApprovalAnswer {
  readonly decision: "allow" | "deny";
  /** Reaches the code that made the call. */
  readonly reason?: string;
  /**
   * Answers later calls of the same name alike: until the run ends, or as long as the session is open. Default: asks again.
   * Of a tool that session code defined, the answer is for that definition alone.
   * That a skill may be saved is never remembered: the next one is another source. Nor is anything about a file in conflict:
   * that is asked about each time.
   */
  readonly remember?: "run" | "session";
  /**
   * About files of the request, by path, where it is allowed. Those that are not named are accepted, and kept as they are
   * where they are in conflict. Default: none.
   */
  readonly files?: Readonly<Record<string, FileDecision>>;
}

/** Asks a person. `signal` is aborted when nobody waits for the answer any more. */
export type OnApproval = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => ApprovalAnswer | Promise<ApprovalAnswer>;

export interface ApproverOptions {
  /** Without it nobody is there, and what would be asked is denied. */
  readonly onApproval?: OnApproval | undefined;
  /** Stops the clock of the run; the answer lets it go on. */
  readonly pauseClock?: () => () => void;
}

type Answered = Exclude<AnsweredDecision, { kind: "ask" }>;
type Remembered = Exclude<Decision, { kind: "ask" }>;

/** Questions that wait for a person at a time. */
const MOST_WAITING = 10;

/**
 * Asks a person, one question at a time, and remembers what they want remembered. The same call, with the same arguments,
 * is not asked about again in a run in which it was refused.
 */
export class Approver {
  readonly #options: ApproverOptions;
  readonly #ofSession = new Map<string, Remembered>();
  readonly #ofRun = new Map<string, Map<string, Remembered>>();
  /** Keys of foreign contents that a person has agreed to. */
  readonly #agreed = new Set<string>();
  readonly #refused = new RefusedCalls();
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ApproverOptions) {
    this.#options = options;
  }

  /** Whether anybody is there. */
  get canAsk(): boolean {
    return this.#options.onApproval !== undefined;
  }

  /** Whether a person has agreed to foreign content of this key before. */
  hasAgreed(key: string): boolean {
    return this.#agreed.has(key);
  }

  /** What was said about calls of this name before; undefined when it was not to be remembered. */
  remembered(call: AskingCall): Remembered | undefined {
    const key = agreementKey(call);
    const found = this.#ofRun.get(call.runId)?.get(key) ?? this.#ofSession.get(key);
    // That calls may be made says nothing of what somebody else has written.
    return found?.kind === "allow" && hasConflict(call.files) ? undefined : found;
  }

  /** Resolves with what the person said. Rejects as `onApproval` does, or when `signal` is aborted. */
  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<Answered> {
    const { onApproval, pauseClock } = this.#options;
    if (onApproval === undefined) return { kind: "deny", reason: nobodyToAsk(request) };
    const asked = askedCall(request);
    const refused = await unlessAborted(this.#refused.find(asked), signal);
    if (refused !== undefined) return refused;
    if (this.#waiting >= MOST_WAITING) {
      // `onApproval` may answer some of them at once, from what the person said before.
      await new Promise((resolve) => setTimeout(resolve));
      const known = this.#known(request) ?? (await this.#refused.find(asked));
      if (known !== undefined) return known;
    }
    if (this.#waiting >= MOST_WAITING) return { kind: "deny", reason: TOO_MANY_QUESTIONS };
    const resume = pauseClock?.();
    this.#waiting += 1;
    try {
      return await this.#inTurn(signal, async () => {
        // An earlier question may have been answered for this one too.
        const known = this.#known(request) ?? (await this.#refused.find(asked));
        if (known !== undefined) return known;
        const answer = await onApproval(request, { signal });
        checkAnswer(answer);
        // Few answers are about files, and no page needs the script before the first.
        if (answer.files !== undefined)
          (await import("./proposals.js")).checkFileDecisions(answer.files, request.files);
        const decision = decisionOf(answer);
        this.#remember(request, { decision, scope: answer.remember });
        if (decision.kind === "deny") await this.#refused.add(asked, decision.reason, signal);
        return decision;
      });
    } finally {
      this.#waiting -= 1;
      resume?.();
    }
  }

  /** The run is over: what was remembered for it is not needed any more. */
  endRun(runId: string): void {
    this.#ofRun.delete(runId);
    this.#refused.endRun(runId);
  }

  #known(request: ApprovalRequest): Answered | undefined {
    if (request.foreign === null) return this.remembered(request);
    return request.foreign.items.every(({ key }) => this.hasAgreed(key)) ? { kind: "allow" } : undefined;
  }

  #remember(
    request: ApprovalRequest,
    { decision: said, scope }: { readonly decision: Answered; readonly scope: ApprovalAnswer["remember"] },
  ): void {
    // Decisions about files are about these.
    const decision: Remembered = said.kind === "allow" ? { kind: "allow" } : said;
    const { runId, foreign, skill } = request;
    if (foreign !== null) {
      // An agreement is about what was seen, and nothing else that has the same name.
      if (decision.kind === "allow") for (const { key } of foreign.items) this.#agreed.add(key);
      return;
    }
    if (skill !== undefined && decision.kind === "allow") return;
    // A yes to some of the files is no yes to those of later calls.
    const choices = said.kind === "allow" ? Object.values(said.files ?? {}) : [];
    if (choices.some((choice) => choice !== "accept")) return;
    const key = agreementKey(request);
    if (scope === "session") this.#ofSession.set(key, decision);
    if (scope !== "run") return;
    const ofRun = this.#ofRun.get(runId) ?? new Map<string, Remembered>();
    this.#ofRun.set(runId, ofRun.set(key, decision));
  }

  #inTurn(signal: AbortSignal, step: () => Promise<Answered>): Promise<Answered> {
    const { promise: given, reject: giveUp } = Promise.withResolvers<never>();
    const stop = (): void => {
      giveUp(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      return Promise.race([step(), given]);
    });
    given.catch(() => undefined);
    this.#last = turn.catch(() => undefined);
    return Promise.race([turn, given]).finally(() => {
      signal.removeEventListener("abort", stop);
    });
  }
}

/** The question about a call. */
export async function requestFor(call: Call, reason: string): Promise<ApprovalRequest> {
  const skill = await call.draft?.();
  const { namespace, name, hints, caller, inAgentRun = false, task, runId, id, trust, definitionId, hosts } = call;
  const { proposal } = call;
  return {
    name: `${namespace}.${name}`,
    arguments: call.arguments,
    hints,
    caller,
    inAgentRun,
    path: task?.path ?? [],
    runId,
    callId: id,
    trust,
    reason,
    foreign: null,
    ...(skill === undefined ? {} : { skill }),
    ...(proposal === undefined ? {} : { files: proposal.files }),
    ...(definitionId === undefined ? {} : { definitionId }),
    ...(hosts === undefined ? {} : { hosts }),
  };
}

/** What an agreement is about. */
interface AgreedCall {
  /** With its namespace. */
  readonly name: string;
  readonly definitionId?: string | undefined;
}

/** A call that may have been answered before. */
interface AskingCall extends AgreedCall {
  readonly runId: string;
  readonly files?: readonly FileProposal[] | undefined;
}

/** By what an agreement is found again: a name alone may come to be that of another tool. */
function agreementKey({ name, definitionId }: AgreedCall): string {
  return definitionId === undefined ? name : JSON.stringify([name, definitionId]);
}

function askedCall(request: ApprovalRequest): AskedCall {
  const { runId, arguments: args, foreign, files } = request;
  // The same call may come to other files: a no to these is no answer to those, nor to the call.
  if (files !== undefined) {
    const kind = JSON.stringify([agreementKey(request), "files"]);
    return { runId, kind, args: [args, valueOfFiles(files)] };
  }
  const kind = JSON.stringify([agreementKey(request), foreign?.kind ?? null]);
  return { runId, kind, args, shown: foreign?.items.map(({ key }) => key).join() };
}

/** Whether somebody else has changed one of the files meanwhile. */
function hasConflict(files: readonly FileProposal[] | undefined): boolean {
  return files?.some(({ conflict }) => conflict !== undefined) === true;
}

/** What a question about files has that no question about others has: they, as they would be. */
function valueOfFiles(files: readonly FileProposal[]): Value {
  return files.map(({ path, before, after, image, conflict }) => {
    const theirs = conflict === undefined ? [] : [conflict.theirs];
    return { path, before, after, image: image?.bytes ?? null, theirs };
  });
}

const TOO_MANY_QUESTIONS = `${String(MOST_WAITING)} questions wait for a person already; ask again when they are answered`;

/** Callers without a type checker answer `true`, which is not a person's no, and nothing to remember. @throws {OptionError} */
function checkAnswer(answer: unknown): asserts answer is ApprovalAnswer {
  const isObject = typeof answer === "object" && answer !== null;
  const decision = isObject && "decision" in answer ? answer.decision : undefined;
  if (decision === "allow" || decision === "deny") return;
  const given = isObject
    ? "an object without one of them"
    : typeof answer === "string"
      ? JSON.stringify(answer)
      : typeof answer;
  throw new OptionError(`The answer must be { decision: "allow" } or { decision: "deny" }, not ${given}.`, {
    of: "onApproval",
    option: "decision",
    accepted: ["allow", "deny"],
  });
}

function decisionOf({ decision, reason = "", files }: ApprovalAnswer): Answered {
  if (decision === "allow") return files === undefined ? { kind: "allow" } : { kind: "allow", files, said: reason };
  return { kind: "deny", reason: reason.trim() === "" ? "the person who was asked said no" : reason };
}

function nobodyToAsk({ name, foreign }: ApprovalRequest): string {
  const remedy =
    foreign === null
      ? `open the session with \`onApproval\`, or allow it with \`approvals: { ${JSON.stringify(name)}: "allow" }\``
      : "open the session with `onApproval`";
  return `a person has to agree, and nobody can be asked here; ${remedy}`;
}
