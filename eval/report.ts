import { textTable } from "../bench/report.js";
import type { EvalAgent } from "./agents/index.js";
import type { Measurement } from "./evaluate.js";

/** A line for each task, with the agents side by side. */
export function taskTable(measurements: readonly Measurement[], agents: readonly EvalAgent[]): string {
  const tasks = [...new Set(measurements.map(({ task }) => task))];
  const head = ["task", ...agents.map(({ title }) => title)];
  const rows = tasks.map((task) => [
    task,
    ...agents.map(({ name }) => cell(measurements.filter((each) => each.task === task && each.agent === name))),
  ]);
  return [
    aligned([head, ...rows]),
    "",
    "Each cell: accepted by the checker, steps, tokens sent and received, calls of tools, seconds.",
  ].join("\n");
}

function cell(measured: readonly Measurement[]): string {
  if (measured.length === 0) return "–";
  return [verdict(measured), ...figures(measured)].join(" · ");
}

/** Several runs of replies that a person wrote are all accepted, or something is broken: they make no rate. */
function verdict(measured: readonly Measurement[]): string {
  const accepted = measured.filter((each) => each.accepted).length;
  if (measured.length > 1 && !isScripted(measured)) return `${String(accepted)}/${String(measured.length)}`;
  return accepted === measured.length ? "yes" : "NO";
}

function isScripted(measured: readonly Measurement[]): boolean {
  return measured.some(({ source }) => source === "scripted");
}

/** The agents side by side: means over what each of them ran, of projects and batches by themselves, since not all agents have them. */
export function summaryTable(measurements: readonly Measurement[], agents: readonly EvalAgent[]): string {
  const head = ["agent", "runs", "success", "steps", "tokens", "calls", "time"];
  const rows = (["", "projects", "batches"] as const).flatMap((kind) =>
    agents.flatMap(({ name, title }) => {
      const own = measurements.filter((each) => each.agent === name && kindOf(each) === kind);
      const label = kind === "" ? title : `${title}, ${kind}`;
      return own.length === 0 ? [] : [[label, String(own.length), successOf(own), ...figures(own)]];
    }),
  );
  const lost = measurements.filter(({ steps }) => steps === null).length;
  const note = `Failed beside the agent and left out of the means: ${String(lost)}.`;
  return [aligned([head, ...rows]), ...(lost === 0 ? [] : [note])].join("\n\n");
}

function kindOf({ isProject, isBatch }: Measurement): "" | "projects" | "batches" {
  return isProject ? "projects" : isBatch ? "batches" : "";
}

/** Replies that a person wrote succeed because the person did: no rate is made of that. */
export function successOf(measured: readonly Measurement[]): string {
  if (isScripted(measured)) return "scripted";
  const accepted = measured.filter((each) => each.accepted).length;
  return `${String(Math.round((100 * accepted) / measured.length))} % (${String(accepted)} of ${String(measured.length)})`;
}

/** Means over the runs whose page came to its end: of the others nobody knows what they took. */
function figures(measured: readonly Measurement[]): string[] {
  const ended = measured.filter(({ steps }) => steps !== null);
  if (ended.length === 0) return ["no figures"];
  const mean = (of: (each: Measurement) => number): number => sum(ended, of) / ended.length;
  return [
    trimmed(mean(({ steps }) => steps ?? 0)),
    Math.round(mean(allTokens)).toLocaleString("en-US"),
    trimmed(mean(({ toolCalls }) => toolCalls)),
    `${mean(({ elapsed }) => (elapsed ?? 0) / 1000).toFixed(1)} s`,
  ];
}

/** The server's count where it counts. */
function allTokens({ tokens, countedTokens }: Measurement): number {
  const { input, output } = countedTokens ?? tokens;
  return input + output;
}

/**
 * How the agents' steps and tokens compare with those of an ideal JSON agent; empty where no run called a tool. Only what
 * was accepted is compared: who gives up early, or does something else, is not measured by what the task takes.
 */
export function idealTable(measurements: readonly Measurement[], agents: readonly EvalAgent[]): string {
  const head = ["compared with an ideal JSON agent", "runs", "steps", "ideal", "ratio", "tokens", "ideal", "ratio"];
  const calling = measurements.filter(
    ({ ideal, agent }) => ideal !== null && agents.some(({ name }) => name === agent),
  );
  const accepted = calling.filter((each) => each.accepted);
  const rows = agents.flatMap(({ name, title }) => {
    const compared = accepted.filter(({ agent }) => agent === name);
    if (compared.length === 0) return [];
    return (["single", "parallel"] as const).map((kind) => {
      const steps = sum(compared, (each) => each.steps ?? 0);
      const tokens = sum(compared, ({ tokens: { input, output } }) => input + output);
      const idealSteps = sum(compared, ({ ideal }) => ideal?.[kind].steps ?? 0);
      const idealTokens = sum(
        compared,
        ({ ideal }) => (ideal?.[kind].inputTokens ?? 0) + (ideal?.[kind].outputTokens ?? 0),
      );
      return [
        `${title}, ${kind === "single" ? "one call a step" : "parallel calls"}`,
        String(compared.length),
        ...[steps, idealSteps].map((count) => count.toLocaleString("en-US")),
        (steps / idealSteps).toFixed(2),
        ...[tokens, idealTokens].map((count) => count.toLocaleString("en-US")),
        (tokens / idealTokens).toFixed(2),
      ];
    });
  });
  const leftOut = calling.length - accepted.length;
  const note = `Only accepted runs are compared with an ideal JSON agent. Left out, with calls of tools: ${String(leftOut)}.`;
  return [rows.length === 0 ? "" : aligned([head, ...rows]), leftOut === 0 ? "" : note]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** What went wrong, in the order in which it did. */
export function problemList(measurements: readonly Measurement[]): string {
  return measurements
    .filter(({ accepted }) => !accepted)
    .map(({ task, agent, failure, problems }) => {
      const reasons = [...(failure === null ? [] : [failure]), ...problems];
      return [`${task}, ${agent}:`, ...reasons.map((reason) => `  ${reason}`)].join("\n");
    })
    .join("\n");
}

function aligned(rows: readonly (readonly string[])[]): string {
  return textTable(rows);
}

function sum(measured: readonly Measurement[], of: (each: Measurement) => number): number {
  return measured.reduce((total, each) => total + of(each), 0);
}

function trimmed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}
