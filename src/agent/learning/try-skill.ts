import { SkillError } from "../../skills/index.js";
import type { RunResult, TrialOptions, TrialSession } from "../../session/index.js";
import { namedMessageOf, shorten, unlessAborted } from "../../protocol/index.js";
import { pythonRepr, type Tool, type ToolAdapter } from "../../tools/index.js";
import type { SkillTrial, TriedCall } from "../events/learned-skill.js";
import type { ProposedSkill } from "./parse-proposal.js";
import { fullName, jsonText, UnrecordedCallError, type RecordedAnswers, type ToolRecord } from "./tool-record.js";

/** Milliseconds that a trial may run. */
const TRIAL_TIMEOUT = 30_000;
/** Calls of a trial that are told, and characters of what is told of it. */
const MOST_CALLS = 50;
const MOST_REFUSED = 5;
const LONGEST_ARGUMENTS = 300;
const LONGEST_VALUE = 500;
const LONGEST_OUTPUT = 1000;
const LONGEST_ERROR = 2000;

export interface SkillCheckOptions {
  readonly openTrial: (options: TrialOptions) => Promise<TrialSession>;
  /** The tools that the task saw. */
  readonly tools: readonly Tool[];
  readonly record: ToolRecord;
  /** Modules that the task's code could import; undefined for the session's. */
  readonly imports: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** Told what the proposal would replace, before anything of it is run. */
  readonly onRead: (replaces: string | null) => void;
}

/** What the check of a proposal found. */
export interface CheckedSkill {
  /** Null where it did not come to a trial. */
  readonly trial: SkillTrial | null;
  /** What keeps it from being saved, as the model is told; empty when nothing does. */
  readonly problems: readonly string[];
}

/**
 * Checks a proposed skill in a clean sealed interpreter: whether it can be a skill, and how it runs with the answers that
 * the task's calls had. No tool is called, and nothing is kept.
 *
 * @throws what opening a session throws.
 */
export async function checkSkill(proposal: ProposedSkill, options: SkillCheckOptions): Promise<CheckedSkill> {
  const { openTrial, tools, record, signal, onRead } = options;
  // What session code defined is gone with its interpreter: a skill cannot count on it.
  const lasting = tools.filter(({ trust }) => trust === undefined);
  const calls: TriedCall[] = [];
  const stage = new TrialStage(record.answers(lasting), calls);
  const opening = openTrial({ tools: lasting.map((tool) => stage.standIn(tool)), timeout: TRIAL_TIMEOUT });
  const session = await unlessAborted(opening, signal).catch((error: unknown) => {
    // Nobody waits for one that opens late.
    opening.then((late) => late.close()).catch(() => undefined);
    throw error;
  });
  try {
    onRead(await sourceOf(session, proposal.name));
    const fault = await faultOf(session, proposal);
    if (fault !== null) return { trial: null, problems: [fault] };
    const run = await session.run(callOf(proposal), { ...runOptions(options), signal });
    signal.throwIfAborted();
    const all = [...calls, ...refusedBeside(run)];
    return { trial: trialOf(run, all), problems: problemsOf(run, all) };
  } finally {
    await session.close();
  }
}

/** Stands in for the task's tools, and notes what is called. */
class TrialStage {
  readonly #answers: RecordedAnswers;
  readonly #calls: TriedCall[];

  constructor(answers: RecordedAnswers, calls: TriedCall[]) {
    this.#answers = answers;
    this.#calls = calls;
  }

  /** A tool that looks like the given one and answers from the record. */
  standIn(tool: Tool): ToolAdapter {
    return {
      tool,
      // As the code gave them: the record has them so, too.
      validate: (_callable, args) => args,
      call: (callable, args) => {
        const name = fullName(tool, callable);
        const called = shorten(jsonText(args), LONGEST_ARGUMENTS);
        const note = (outcome: TriedCall["outcome"], reason: string | null): void => {
          this.#calls.push({ name: `tools.${name}`, arguments: called, outcome, reason });
        };
        return new Promise((resolve) => {
          try {
            const value = this.#answers.take(name, args);
            note("returned", null);
            resolve(value);
          } catch (error) {
            const isRefusal = error instanceof UnrecordedCallError;
            note(isRefusal ? "refused" : "raised", shorten(namedMessageOf(error), LONGEST_OUTPUT));
            throw error;
          }
        });
      },
    };
  }
}

/** A file of that name that is no skill has nothing that could be compared. */
async function sourceOf({ skills }: TrialSession, name: string): Promise<string | null> {
  try {
    return (await skills.get(name))?.source ?? null;
  } catch (error) {
    if (error instanceof SkillError) return null;
    throw error;
  }
}

async function faultOf({ skills }: TrialSession, { name, source }: ProposedSkill): Promise<string | null> {
  try {
    const { description } = await skills.create({ name, source });
    return description === "" ? "run() has no docstring: its first line is how others find the skill" : null;
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    const { message, line } = error;
    return line === undefined || message.includes("(line ") ? message : `${message} (line ${String(line)})`;
  }
}

function callOf({ name, arguments: args }: ProposedSkill): string {
  return `skills.${name}(**${pythonRepr(args)})`;
}

function runOptions({ imports }: SkillCheckOptions) {
  return { name: "trial", ...(imports === undefined ? {} : { imports }) };
}

function trialOf({ error, valueRepr, stdout, elapsed }: RunResult, calls: readonly TriedCall[]): SkillTrial {
  return {
    calls: calls.slice(0, MOST_CALLS),
    answered: calls.filter(({ outcome }) => outcome !== "refused").length,
    refused: calls.filter(({ outcome }) => outcome === "refused").length,
    value: error === null ? shorten(valueRepr ?? "None", LONGEST_VALUE) : null,
    printed: shorten(stdout, LONGEST_OUTPUT),
    error: error === null ? null : { type: error.pythonType, message: shorten(error.message, LONGEST_OUTPUT) },
    elapsed,
  };
}

/** Calls of no tool that a trial refuses: those that would change what stays. */
function refusedBeside({ calls }: RunResult): TriedCall[] {
  return calls.flatMap(({ namespace, name, arguments: args, outcome }) => {
    // Of tools the stand-ins tell themselves, also of one that the task was not allowed.
    if (namespace === "tools" && name !== "register") return [];
    if (outcome.kind !== "error" || outcome.code !== "CALL_NOT_ALLOWED") return [];
    const called = shorten(jsonText(args), LONGEST_ARGUMENTS);
    return [{ name: `${namespace}.${name}`, arguments: called, outcome: "refused", reason: outcome.message } as const];
  });
}

/** A call that was refused counts also where the skill went on without it: what it does with an answer nobody has seen. */
function problemsOf({ error }: RunResult, calls: readonly TriedCall[]): string[] {
  const refused = calls
    .filter(({ outcome }) => outcome === "refused")
    .slice(0, MOST_REFUSED)
    .map(({ name, arguments: args, reason }) => `${name} was called with ${args}. ${reason ?? ""}`);
  if (error === null) return refused;
  return [
    ...refused,
    `The trial failed: ${shorten(error.traceback === "" ? error.message : error.traceback, LONGEST_ERROR)}`,
  ];
}
