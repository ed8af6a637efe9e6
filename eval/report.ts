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
  const accepted = measured.filter((each) => each.accepted).length;
  const verdict =
    measured.length > 1 ? `${String(accepted)}/${String(measured.length)}` : accepted === 1 ? "yes" : "NO";
  return [verdict, ...figures(measured)].join(" · ");
}

/** The agents side by side: means over what each of them ran. */
export function summaryTable(measurements: readonly Measurement[], agents: readonly EvalAgent[]): string {
  const head = ["agent", "runs", "success", "steps", "tokens", "calls", "time"];
  const rows = agents.flatMap(({ name, title }) => {
    const own = measurements.filter(({ agent }) => agent === name);
    return own.length === 0 ? [] : [[title, String(own.length), successOf(own), ...figures(own)]];
  });
  return aligned([head, ...rows]);
}

/** Replies that a person wrote succeed because the person did: no rate is made of that. */
export function successOf(measured: readonly Measurement[]): string {
  if (measured.some(({ source }) => source === "scripted")) return "scripted";
  const accepted = measured.filter((each) => each.accepted).length;
  return `${String(Math.round((100 * accepted) / measured.length))} % (${String(accepted)} of ${String(measured.length)})`;
}

function figures(measured: readonly Measurement[]): string[] {
  const mean = (of: (each: Measurement) => number): number => sum(measured, of) / measured.length;
  return [
    trimmed(mean(({ steps }) => steps)),
    Math.round(mean(allTokens)).toLocaleString("en-US"),
    trimmed(mean(({ toolCalls }) => toolCalls)),
    `${mean(({ elapsed }) => elapsed / 1000).toFixed(1)} s`,
  ];
}

/** The server's count where it counts. */
function allTokens({ tokens, countedTokens }: Measurement): number {
  const { input, output } = countedTokens ?? tokens;
  return input + output;
}

/** How the agents' steps and tokens compare with those of an ideal JSON agent; empty where no run called a tool. */
export function idealTable(measurements: readonly Measurement[], agents: readonly EvalAgent[]): string {
  const head = ["compared with an ideal JSON agent", "runs", "steps", "ideal", "ratio", "tokens", "ideal", "ratio"];
  const rows = agents.flatMap(({ name, title }) => {
    const compared = measurements.filter(({ agent, ideal }) => agent === name && ideal !== null);
    if (compared.length === 0) return [];
    return (["single", "parallel"] as const).map((kind) => {
      const steps = sum(compared, (each) => each.steps);
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
  return rows.length === 0 ? "" : aligned([head, ...rows]);
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
