import type { TaskResumed } from "../../../agent/index.js";
import type { JournalEntry } from "../../../dispatch/index.js";
import type { MemoryReport } from "../../../protocol/index.js";
import { callStanding, callText } from "../text/call-text.js";
import { formatCount, formatElapsed } from "../text/format.js";
import type { OutputBlock } from "../text/output-log.js";
import { splitReply } from "../text/split-reply.js";
import { usageText } from "../session/task-limits.js";
import { learningText, type SkillLearning } from "./skill-learning.js";
import type { BatchView } from "./batch-view.js";
import type { CallContents } from "./call-list.js";
import type { SlotView } from "./program-view.js";
import type { TaskAttempt, TaskCalls, TaskPart, TaskProgram, TaskStep, TaskView } from "./task-view.js";
import type { TranscriptItem } from "./transcript-items.js";

/** The transcript as Markdown, for the clipboard and for a file. */
export function transcriptMarkdown(items: readonly TranscriptItem[]): string {
  return `${items.map(itemMarkdown).join("\n\n---\n\n")}\n`;
}

function itemMarkdown(item: TranscriptItem): string {
  if (item.kind === "task") return taskMarkdown(item.view);
  return item.kind === "note" ? `*${item.text}*` : `*Added /workspace/${item.file.path}.*`;
}

function taskMarkdown(view: TaskView): string {
  return [`# ${view.task}`, ...headMarkdown(view), ...view.parts.map(partMarkdown), ...endMarkdown(view)].join("\n\n");
}

function headMarkdown({ modelLabel, notices }: TaskView): string[] {
  return [modelLabel, ...notices].map((line) => `*${line}*`);
}

function endMarkdown(view: TaskView): string[] {
  const { answer, learning, artifacts, error, state, memory, usage, steps, maxSteps, budget } = view;
  const verifiedBy = answer?.verifiedBy ?? null;
  return [
    ...(answer === null ? [] : [`## Answer\n\n${answer.text}`]),
    ...(verifiedBy === null ? [] : [`Checked by the agent: ${verifiedBy}`]),
    ...(learning === null ? [] : [learningMarkdown(learning)]),
    ...(artifacts.length === 0 ? [] : [`Artifacts: ${artifacts.join(", ")}`]),
    ...(error === null ? [] : [`**${error.name}**: ${error.message}`]),
    ...(state === "cancelled" ? ["*Stopped.*"] : []),
    ...(memory === null ? [] : memoryMarkdown(memory)),
    ...(usage === null ? [] : [`*Used: ${usageText(usage, { steps: steps.length, maxSteps, budget })}*`]),
  ];
}

/** What the agent keeps in mind. */
function memoryMarkdown({ values, observations, failedApproaches }: MemoryReport): string[] {
  const shown = values.map(({ name, shown }) => `\`${name}\` = \`${shown}\``);
  return [
    list("Kept values", shown),
    list("Found out", observations),
    list("Tried without success", failedApproaches),
  ].flat();
}

function list(heading: string, items: readonly string[]): string[] {
  return items.length === 0
    ? []
    : [`${heading}:\n${items.map((item) => `- ${item.replaceAll("\n", "\n  ")}`).join("\n")}`];
}

function learningMarkdown(learning: SkillLearning): string {
  const { proposal } = learning;
  const text = `*${learningText(learning)}*`;
  return proposal === null ? text : `${text}\n\n${fenced(proposal.difference, "diff")}`;
}

function partMarkdown(part: TaskPart): string {
  switch (part.kind) {
    case "step":
      return stepMarkdown(part.step);
    case "said":
      return `**You said:** ${part.text}`;
    case "resumed":
      return resumedMarkdown(part.resumed);
  }
}

function resumedMarkdown({ model, interrupted, gone, unknown }: TaskResumed): string {
  const calls = (heading: string, entries: readonly JournalEntry[]): string[] =>
    entries.length === 0 ? [] : [`${heading}:\n${entries.map((entry) => callLine(entry)).join("\n")}`];
  return [
    `**Taken up here**, with the model ${model.name}.`,
    ...(interrupted === null
      ? []
      : [
          `Step ${String(interrupted.step)} did not end. It is not run again.`,
          ...calls("Finished", interrupted.finished),
          ...calls("May have taken effect", interrupted.unknown),
        ]),
    ...(gone.length === 0 ? [] : [`Python started anew. Gone: ${codeList(gone)}`]),
    ...(unknown.length === 0 ? [] : [`It is not known whether these are still there: ${codeList(unknown)}`]),
  ].join("\n\n");
}

function codeList(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function stepMarkdown(step: TaskStep, of = ""): string {
  const { thought, code } = step.agent === "react" ? { thought: "", code: null } : splitReply(step.reply);
  const shown = step.code ?? code;
  const { run, observation } = step;
  return [
    `## Step ${String(step.number)}${of === "" ? "" : ` of ${of}`}`,
    ...(step.reasoning === "" ? [] : [quoted(["**What the model thought:**", step.reasoning])]),
    ...(step.agent === "react" && step.reply !== "" ? [step.reply] : []),
    ...(thought === "" ? [] : [thought]),
    ...(shown === null ? [] : [fenced(shown, "python")]),
    ...callsMarkdown(step.calls),
    ...(step.output.leftOut === 0 ? [] : [`*… ${formatCount(step.output.leftOut, "earlier output")} not shown*`]),
    ...step.output.blocks.map(blockMarkdown),
    ...(typeof run?.valueRepr === "string" ? [fenced(run.valueRepr)] : []),
    ...(run !== null && run.error !== null ? [fenced(run.error.toString())] : []),
    ...(step.agent === "react" && observation !== null ? [`The model was told:\n\n${fenced(observation)}`] : []),
    ...Array.from(step.questions.values(), questionMarkdown),
    ...[...step.notices, ...(run?.notices ?? [])].map((notice) => `*${notice}*`),
  ].join("\n\n");
}

function questionMarkdown({ question, answer }: { readonly question: string; readonly answer: string | null }): string {
  const asked = `**The code asked:** ${question === "" ? "for a line" : question}`;
  return answer === null ? asked : `${asked}\n\n**You answered:** ${answer}`;
}

/** Calls as a list; what went on in the course of one stands below it, as a quotation. */
function callsMarkdown({ entries, contents, notReplayed }: TaskCalls): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) blocks.push(lines.join("\n"));
    lines = [];
  };
  const addBelow = (nested: CallContents<TaskView, TaskProgram> | undefined): void => {
    if (nested === undefined) return;
    flush();
    blocks.push(
      ...nested.tasks.map(agentMarkdown),
      ...nested.programs.map(programMarkdown),
      ...nested.batches.map(batchMarkdown),
    );
  };
  for (const entry of entries.values()) {
    lines.push(callLine(entry, notReplayed.has(entry.id)));
    addBelow(contents.get(entry.id));
  }
  for (const [id, nested] of contents) if (!entries.has(id)) addBelow(nested);
  flush();
  return blocks;
}

/** What became of each file, and who wrote it. */
function batchMarkdown({ files }: BatchView): string {
  return quoted(
    Array.from(files.values(), ({ path, standing, end, chosen, fault }) => {
      const by = end?.model ?? chosen?.model ?? null;
      const why = end?.reason ?? chosen?.reason ?? fault?.message ?? end?.message ?? "";
      return `**${path}:** ${standing}${by === null ? "" : `, by ${by}`}${why === "" ? "" : `. ${why}`}`;
    }),
  );
}

function agentMarkdown(view: TaskView): string {
  const name = view.name ?? "";
  const steps = view.steps.map((step) => stepMarkdown(step, name));
  return quoted([`**Agent ${name}:** ${view.task}`, ...headMarkdown(view), ...steps, ...endMarkdown(view)]);
}

function programMarkdown(program: TaskProgram): string {
  const { name, instruction, slots, attempts, fault, isRefused, warnings, leftOut } = program;
  return quoted([
    `**Program: ${name}**`,
    ...(instruction === "" ? [] : [instruction]),
    ...attempts.flatMap(attemptMarkdown),
    isRefused ? "*The contract was refused.*" : slots.map(slotLine).join("\n"),
    ...slots.flatMap(slotOutput),
    ...(fault === null ? [] : [`${fault.error}: ${fault.description}`]),
    ...warnings.map((warning) => `*${warning}*`),
    ...(leftOut.calls === 0 ? [] : [`*${formatCount(leftOut.calls, "more call")} not shown*`]),
    ...(leftOut.sentences === 0 ? [] : [`*${formatCount(leftOut.sentences, "more sentence")} not shown*`]),
  ]);
}

function attemptMarkdown({ code, calls, story, notices, mended }: TaskAttempt): string[] {
  return [
    ...notices.map((notice) => `*${notice}*`),
    ...(code === null ? [] : [fenced(code, "python")]),
    ...callsMarkdown(calls),
    ...(story.length === 0 ? [] : [story.join(" ")]),
    ...(mended === null ? [] : [`*Another program was asked for: ${mended.fault.error} ${mended.fault.description}*`]),
  ];
}

function slotLine({ slot, state, draft, fault, gaps, warnings }: SlotView): string {
  const standing = `${state}${draft && state !== "waiting" ? ", a draft" : ""}`;
  const why = fault === null ? "" : `: ${fault.error} ${fault.description}`;
  const notes = [...(gaps === null ? [] : [`Missing in it: ${gaps}`]), ...warnings].map((note) => `\n  - ${note}`);
  return `- \`${slot.id}\` (${slot.filename ?? slot.form}): ${standing}${why}${notes.join("")}`;
}

/** What was made for a slot and is no file. */
function slotOutput({ slot, output }: SlotView): string[] {
  return output?.kind === "inline" ? [`What was made for \`${slot.id}\`:\n\n${fenced(output.text)}`] : [];
}

function quoted(parts: readonly string[]): string {
  return parts.join("\n\n").replace(/^/gm, "> ").replace(/^> $/gm, ">");
}

function callLine(entry: JournalEntry, notReplayed = false): string {
  const { outcome } = entry;
  const time = "elapsed" in outcome ? `, ${formatElapsed(outcome.elapsed)}` : "";
  const { mark, word } = callStanding(entry, { notReplayed });
  return `- ${mark} \`${callText(entry)}\` (${word}${time})`;
}

function blockMarkdown(block: OutputBlock): string {
  if (block.kind === "text") return fenced(block.text.trimEnd());
  if (block.kind === "signal") return `*[${block.type.toUpperCase()}] ${block.message}*`;
  const plain = block.data["text/plain"];
  return `[${Object.keys(block.data)[0] ?? "output"}]${typeof plain === "string" ? ` ${plain}` : ""}`;
}

function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
