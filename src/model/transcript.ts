import { isMap, isNode, LineCounter, parseDocument, stringify, type Document as YamlDocument } from "yaml";
import { z } from "zod";

import { messageOf, VitrineError, type Problem, type SourceFile } from "../protocol/index.js";

const ToolCall = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  /** JSON as the model wrote it. */
  arguments: z.string(),
});

const Step = z.strictObject({
  /** The model's whole reply, as far as it is text. */
  reply: z.string(),
  /** What the model asked for beside it. Since version 2. */
  toolCalls: z.array(ToolCall).min(1).optional(),
  /** What the agent told the model about it. Absent after the reply that ended the task. */
  observed: z.string().optional(),
});

const TranscriptData = z
  .strictObject({
    format: z.literal("vitrine-transcript"),
    /** 2 where a step has tool calls; whatever knows only 1 would replay such a file without them. */
    version: z.union([z.literal(1), z.literal(2)], { error: "is not a version that is known here: 1 or 2" }),
    task: z.string().trim().min(1),
    /** The name of the model that was recorded; `hand` where a person wrote the replies. */
    by: z.string().trim().min(1),
    /** Fingerprint of the system prompt that the model saw. */
    prompt: z.string().optional(),
    steps: z.array(Step).min(1),
    /** The text of the answer when it was recorded. A replay never shows it: it computes its own. */
    answer: z.string().optional(),
  })
  .superRefine(({ steps, version }, context) => {
    steps.forEach(({ toolCalls }, index) => {
      if (version > 1 || toolCalls === undefined) return;
      const message = "needs version 2 of the format";
      context.addIssue({ code: "custom", path: ["steps", index, "toolCalls"], message });
    });
    steps.slice(0, -1).forEach((step, index) => {
      if (step.observed === undefined) {
        const message = "is missing: every step but the last says what was observed";
        context.addIssue({ code: "custom", path: ["steps", index, "observed"], message });
      }
    });
  });

/** One task as a model solved it, to be replayed against real tools. */
export type Transcript = z.infer<typeof TranscriptData>;
export type TranscriptStep = z.infer<typeof Step>;
export type TranscriptToolCall = z.infer<typeof ToolCall>;

/** A transcript of `steps`, in the oldest version that can hold them. */
export function transcriptOf(parts: Omit<Transcript, "format" | "version">): Transcript {
  const version = parts.steps.some(({ toolCalls }) => toolCalls !== undefined) ? 2 : 1;
  return { format: "vitrine-transcript", version, ...parts };
}

/** A file that is no transcript. */
export class TranscriptError extends VitrineError {
  override readonly name = "TranscriptError";
  readonly code = "TRANSCRIPT";

  constructor(
    readonly file: string,
    readonly problem: string,
    /** Counted from 1. */
    readonly line: number | null,
    /** Path of the field, `steps.0.observed` for instance. */
    readonly field: string | null,
  ) {
    const where = line === null ? file : `${file}, line ${String(line)}`;
    const what = field === null ? problem : `"${field}" ${problem}`;
    super(`${where}: ${what}. The file cannot be replayed; correct it or record it anew.`);
  }

  toProblem(): Problem {
    const { file, line, field, message, code } = this;
    return { file, message, code, ...(line === null ? {} : { line }), ...(field === null ? {} : { field }) };
  }
}

/**
 * Reads a transcript from YAML or JSON.
 *
 * @throws {TranscriptError} naming file, line and field.
 */
export function parseTranscript({ file, text }: SourceFile): Transcript {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [damage] = document.errors;
  if (damage !== undefined) {
    throw new TranscriptError(file, `it is not valid YAML: ${damage.message}`, lines.linePos(damage.pos[0]).line, null);
  }
  const result = TranscriptData.safeParse(readDocument(document, file));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const extra = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []), ...extra].filter((key) => typeof key !== "symbol");
  const missing = issue?.code === "invalid_type" && document.getIn(path) === undefined;
  const problem = missing ? "is missing" : lowerFirst(issue?.message ?? "this is not a transcript");
  throw new TranscriptError(file, problem, lineOf(document, lines, path), path.length === 0 ? null : path.join("."));
}

/** Reads what can be read and lists the rest. */
export function loadTranscripts(sources: Iterable<SourceFile>): { transcripts: Transcript[]; problems: Problem[] } {
  const transcripts: Transcript[] = [];
  const problems: Problem[] = [];
  for (const source of sources) {
    try {
      transcripts.push(parseTranscript(source));
    } catch (error) {
      if (!(error instanceof TranscriptError)) throw error;
      problems.push(error.toProblem());
    }
  }
  return { transcripts, problems };
}

/** The transcript as a YAML file that a person can read and change. */
export function formatTranscript(transcript: Transcript): string {
  // Folding would move the line ends of code about.
  return stringify(transcript, { lineWidth: 0, blockQuote: "literal" });
}

function readDocument(document: YamlDocument, file: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    // An alias that refers to nothing, or to far too much.
    throw new TranscriptError(file, messageOf(cause), null, null);
  }
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/** The line of the field, or of the nearest thing around it that the file has. */
function lineOf(document: YamlDocument, lines: LineCounter, path: readonly (string | number)[]): number | null {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (!isNode(node) || !node.range) continue;
    const start = isMap(node) ? node.range[0] : (keyStart(document, path.slice(0, length)) ?? node.range[0]);
    return lines.linePos(start).line;
  }
  return null;
}

/** A block scalar's own range may begin a line below its key. */
function keyStart(document: YamlDocument, path: readonly (string | number)[]): number | undefined {
  const parent = path.length <= 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return undefined;
  const pair = parent.items.find(({ key }) => isNode(key) && String(key) === String(path.at(-1)));
  return isNode(pair?.key) ? pair.key.range?.[0] : undefined;
}
