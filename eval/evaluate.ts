import { readFileSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { startServer } from "../bench/server.js";
import { launchEngine } from "../test/engines/drivers/index.js";
import type { EvalAgent } from "./agents/index.js";
import { bodyTokens, replyTokens, type Exchange } from "./count-bodies.js";
import { functionCalls, idealRuns, type IdealRun } from "./ideal-agent.js";
import type { MadeCall } from "./made-calls.js";
import { startEvalModelServer, type EvalModelServer } from "./model-server.js";
import type { ModelSettings } from "./options.js";
import { EvalPages, type FailedRun } from "./eval-pages.js";
import type { TaskRun } from "./page/run-task.js";
import type { EvalTask } from "./task.js";
import { BY_HAND, parseTranscript, type EvalTranscript, type Script } from "./transcript.js";

/** One task, done once by one agent. */
export interface Measurement {
  readonly task: string;
  readonly level: number;
  /** Whether the task was to mend a project. */
  readonly isProject: boolean;
  /** Whether it was to have files written by `write_codebase_tool`. */
  readonly isBatch: boolean;
  readonly agent: string;
  /** `scripted`: a person wrote the replies, so that nothing is said about a model. */
  readonly source: "model" | "recorded" | "scripted";
  /** The model; `hand` where a person wrote the replies. */
  readonly model: string;
  /** Whether the checker accepts the outcome. */
  readonly accepted: boolean;
  readonly problems: readonly string[];
  readonly failure: string | null;
  /** Null where the page itself failed or did not answer, so that nobody knows. */
  readonly steps: number | null;
  /** Calls of tools, those of skills and tools included. */
  readonly toolCalls: number;
  /** To the model, those included that write files and judge them. */
  readonly requests: number;
  /** Of the bodies that were sent and the replies to them, by o200k_base. */
  readonly tokens: TokenPair;
  /** As the server counts them; null where it does not. */
  readonly countedTokens: TokenPair | null;
  /** Milliseconds; null where steps are. */
  readonly elapsed: number | null;
  /** All calls of the run, as the journal has them and in full. */
  readonly calls: readonly MadeCall[];
  /** Null where the run called no tool, and so gives nothing to compare, for projects and batches, and for agents whose journal does not show all. */
  readonly ideal: { readonly single: IdealRun; readonly parallel: IdealRun } | null;
}

export interface TokenPair {
  readonly input: number;
  readonly output: number;
}

export interface EvaluationOptions {
  readonly tasks: readonly EvalTask[];
  readonly agents: readonly EvalAgent[];
  readonly model: ModelSettings | null;
  /** What answers where there is no model. Default: what `eval/transcripts` has. */
  readonly transcriptOf?: (task: string) => EvalTranscript | null;
  readonly repeat: number;
  readonly limit: number;
  /** The folder of the built page. */
  readonly page: string;
  readonly onMeasured?: (measurement: Measurement) => void;
}

/**
 * Runs the tasks one after the other. Where a transcript would have to answer and there is none, a pair is left out; so are projects
 * and batches for agents that do not take them.
 */
export async function evaluate(options: EvaluationOptions): Promise<Measurement[]> {
  const { tasks, agents, repeat, page: folder, transcriptOf = readTranscript, onMeasured } = options;
  const [files, models, engine] = await Promise.all([
    startServer({ folders: [["/", folder]] }),
    startEvalModelServer(),
    // Transcripts are done within seconds; what a model writes may compute for longer.
    launchEngine("chromium", { optimizes: options.model !== null }),
  ]);
  try {
    const pages = new EvalPages(() => engine.openPage(`${files.url}index.html`));
    const measurements: Measurement[] = [];
    for (const task of tasks) {
      const transcript = options.model === null ? transcriptOf(task.name) : null;
      for (const agent of agents) {
        for (let round = 0; round < repeat; round++) {
          const measurement = await measure({ task, agent, transcript }, { ...options, models, pages });
          if (measurement === null) continue;
          measurements.push(measurement);
          onMeasured?.(measurement);
        }
      }
    }
    return measurements;
  } finally {
    await engine.close();
    await Promise.all([files.close(), models.close()]);
  }
}

interface Measured {
  readonly task: EvalTask;
  readonly agent: EvalAgent;
  readonly transcript: EvalTranscript | null;
}

async function measure(
  { task, agent, transcript }: Measured,
  {
    model,
    limit,
    models,
    pages,
  }: Pick<EvaluationOptions, "model" | "limit"> & { readonly models: EvalModelServer; readonly pages: EvalPages },
): Promise<Measurement | null> {
  const isProject = task.project !== undefined;
  const isBatch = task.batch !== undefined;
  if ((isProject || isBatch) && !agent.worksOnFiles) return null;
  const source = model ?? scriptOf(transcript, agent);
  if (source === null) return null;
  const conversation = models.converse(source);
  const modelName = model?.model ?? transcript?.by ?? BY_HAND;
  const request = { task: task.name, agent: agent.name, baseURL: conversation.baseURL, model: modelName, limit };
  try {
    const run = await pages.run(request);
    const { problems, failure, steps, elapsed, calls } = run;
    return {
      task: task.name,
      level: task.level,
      isProject,
      isBatch,
      agent: agent.name,
      source: model !== null ? "model" : modelName === BY_HAND ? "scripted" : "recorded",
      model: modelName,
      accepted: failure === null && problems.length === 0,
      problems,
      failure,
      steps,
      elapsed,
      toolCalls: calls.filter(({ namespace, name }) => namespace === "tools" && name !== "register").length,
      requests: conversation.exchanges.length,
      tokens: await tokensOf(conversation.exchanges),
      countedTokens: countedTokens(conversation.exchanges),
      calls,
      // What a call for a project or a batch needs cannot be read off its values.
      ideal: agent.isCompared && !isProject && !isBatch ? await idealOf(run, modelName) : null,
    };
  } finally {
    conversation.end();
  }
}

function scriptOf(transcript: EvalTranscript | null, { name }: EvalAgent): Script | null {
  const replies = transcript?.replies[name];
  return transcript === null || replies === undefined ? null : { replies, written: transcript.written };
}

async function idealOf(run: TaskRun | FailedRun, model: string): Promise<Measurement["ideal"]> {
  const { calls, taskText, functions, files, answer } = run;
  if (!functionCalls(calls).some(({ namespace }) => namespace === "tools")) return null;
  return await idealRuns({ model, task: taskText, functions, calls, files, answer });
}

async function tokensOf(exchanges: readonly Exchange[]): Promise<TokenPair> {
  let [input, output] = [0, 0];
  for (const { body, reply } of exchanges) {
    input += await bodyTokens(body);
    output += await replyTokens(reply);
  }
  return { input, output };
}

function countedTokens(exchanges: readonly Exchange[]): TokenPair | null {
  let [input, output] = [0, 0];
  for (const { usage } of exchanges) {
    if (usage === null) return null;
    input += usage.inputTokens;
    output += usage.outputTokens;
  }
  return exchanges.length === 0 ? null : { input, output };
}

const transcripts = fileURLToPath(new URL("./transcripts/", import.meta.url));

/** Null where nobody wrote or recorded one. */
export function readTranscript(task: string): EvalTranscript | null {
  const file = `${transcripts}${task}.yaml`;
  return existsSync(file) ? parseTranscript(file, readFileSync(file, "utf8")) : null;
}
