import { callStanding, callText } from "./call-text.js";
import { formatElapsed } from "./format.js";
import type { OutputBlock } from "./output-log.js";
import { splitReply, type StepView, type TaskView } from "./task-view.js";
import type { TranscriptItem } from "./tasks.js";

/** The transcript as Markdown, for the clipboard and for a file. */
export function transcriptMarkdown(items: readonly TranscriptItem[]): string {
  return `${items.map((item) => (item.kind === "note" ? `*${item.text}*` : taskMarkdown(item.view))).join("\n\n---\n\n")}\n`;
}

function taskMarkdown(view: TaskView): string {
  const parts = [`# ${view.task}`, `*${view.modelLabel}*`, ...view.steps.map(stepMarkdown)];
  if (view.answer !== null) parts.push(`## Answer\n\n${view.answer.text}`);
  if (view.artifacts.length > 0) parts.push(`Artifacts: ${view.artifacts.join(", ")}`);
  if (view.error !== null) parts.push(`**${view.error.name}**: ${view.error.message}`);
  if (view.state === "cancelled") parts.push("*Stopped.*");
  return parts.join("\n\n");
}

function stepMarkdown(step: StepView): string {
  const { thought, code } = splitReply(step.reply);
  const shown = step.code ?? code;
  const parts = [`## Step ${String(step.number)}`];
  if (thought !== "") parts.push(thought);
  if (shown !== null) parts.push(fenced(shown, "python"));
  if (step.calls.size > 0) parts.push([...step.calls.values()].map(callLine).join("\n"));
  parts.push(...step.output.blocks.map(blockMarkdown));
  const { run } = step;
  if (typeof run?.valueRepr === "string") parts.push(fenced(run.valueRepr));
  if (run !== null && run.error !== null) parts.push(fenced(run.error.toString()));
  for (const notice of [...step.notices, ...(run?.notices ?? [])]) parts.push(`*${notice}*`);
  return parts.join("\n\n");
}

function callLine(entry: Parameters<typeof callText>[0]): string {
  const { outcome } = entry;
  const time = "elapsed" in outcome ? `, ${formatElapsed(outcome.elapsed)}` : "";
  return `- ${callStanding(entry).mark} \`${callText(entry)}\` (${callStanding(entry).word}${time})`;
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
