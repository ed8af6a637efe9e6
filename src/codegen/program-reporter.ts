import {
  WorkCaller,
  type CallEvents,
  type EventBody,
  type ProgramFault,
  type ProgramNews,
  type SlotOutput,
} from "../agent/index.js";
import type { Contract } from "../contract/index.js";
import { shortenTo } from "../protocol/index.js";
import type { CallingTask } from "../tools/index.js";
import type { CodegenError } from "./errors.js";
import type { CodegenEvent } from "./events.js";
import type { CodegenItem, CodegenOutput } from "./outcome/items.js";

/** Characters of one program. */
const MOST_CODE = 64_000;
/** Characters of what was made for one slot. */
const MOST_OUTPUT = 4_000;
const MOST_TEXT = 1_000;
const MOST_DETAILS = 8_000;
const MOST_CALLS = 200;
const MOST_SENTENCES = 200;
const MOST_WARNINGS = 50;

/**
 * Reports a program to the work whose code, or whose model, has asked for it. What is reported is kept with that work, so
 * it is bounded however much the program says.
 */
export class ProgramReporter {
  readonly #caller: WorkCaller | null;
  readonly #below: CallEvents | null;
  readonly #calls = new Set<string>();
  #shown = 0;
  #hasBegun = false;
  #code: string | null = null;
  #contract: Contract = new Map();
  readonly #handedIn = new Set<string>();
  #sentences = 0;
  readonly #leftOut = { calls: new Set<string>(), sentences: 0 };

  /** @param task - undefined where neither an agent nor a turn asked: then nothing is reported. */
  constructor(task: CallingTask | undefined, callId = "") {
    this.#caller = task instanceof WorkCaller ? task : null;
    this.#below = this.#caller?.eventsOf(callId) ?? null;
  }

  report(event: CodegenEvent): void {
    // What comes after the work has ended is no part of it.
    if (this.#caller === null || this.#caller.work.log.hasEnded) return;
    if (event.type === "call") this.#reportCall(event, this.#caller.work);
    else if (event.type === "notice") this.#add(event, { type: "notice", notice: event.notice });
    else for (const news of this.#newsOf(event)) this.#add(event, { type: "program", runId: event.runId, news });
  }

  #reportCall(
    { entry, runId, attempt }: Extract<CodegenEvent, { type: "call" }>,
    { programsReportCalls }: WorkCaller["work"],
  ): void {
    if (!this.#calls.has(entry.id)) {
      if (this.#calls.size === MOST_CALLS) {
        this.#leftOut.calls.add(entry.id);
        return;
      }
      this.#calls.add(entry.id);
    }
    if (!programsReportCalls) return;
    const isInside = entry.parent !== null && this.#calls.has(entry.parent);
    const parentId = isInside ? entry.parent : `${runId}/${String(attempt)}/run`;
    // By its own id, so that the events of what works for the call are below it.
    this.#add({ id: entry.id, parentId }, { type: "call", entry });
  }

  #newsOf(event: Exclude<CodegenEvent, { type: "call" | "notice" }>): ProgramNews[] {
    switch (event.type) {
      case "codegen-started": {
        const { progName: name, instruction, model, contract } = event;
        this.#contract = contract;
        return [
          {
            kind: "begun",
            name: shortenTo(name, MOST_TEXT),
            instruction: shortenTo(instruction, MOST_OUTPUT),
            model,
            slots: slotsOf(contract),
          },
        ];
      }
      case "generation-started":
        this.#shown = 0;
        return [{ kind: "writing", attempt: event.attempt }];
      case "program-text": {
        const text = event.text.slice(0, MOST_CODE - this.#shown);
        this.#shown += text.length;
        return text === "" ? [] : [{ kind: "text", attempt: event.attempt, text }];
      }
      case "generation-retry": {
        const { attempt, delay, code, message } = event;
        this.#shown = 0;
        return [{ kind: "asked-again", attempt, delay, code, message: shortenTo(message, MOST_TEXT) }];
      }
      case "generation-ended": {
        const { attempt, code, error, usage, elapsed } = event;
        this.#code = code;
        return [{ kind: "written", attempt, code: cutCode(code), fault: faultOf(error), usage, elapsed }];
      }
      case "run-started": {
        const { attempt, code } = event;
        return [{ kind: "running", attempt, code: code === this.#code ? null : cutCode(code) }];
      }
      case "progress":
        return this.#progress(event);
      case "artifact":
        return this.#handIn(event);
      case "run-ended":
        return [{ kind: "ran", attempt: event.attempt, fault: faultOf(event.error), elapsed: event.elapsed }];
      case "repair":
        return [...event.items.map(slotNews), { kind: "mending", attempt: event.attempt, fault: stated(event.error) }];
      case "item":
        return [slotNews(event.item)];
      // Said in one piece of the output, which is not reported.
      case "output":
        return [];
      case "codegen-ended": {
        const { status, error, summary, warnings } = event.result;
        const { calls, sentences } = this.#leftOut;
        return [
          {
            kind: "ended",
            status,
            fault: faultOf(error),
            summary: shortenTo(summary, MOST_TEXT),
            warnings: cutAll(warnings),
            leftOut: { calls: calls.size, sentences },
          },
        ];
      }
    }
  }

  /** Once as a draft and once as whole in each attempt: a program may hand in the same, or what nobody asked for, in a loop. */
  #handIn({ attempt, artifactId: slot, draft }: Extract<CodegenEvent, { type: "artifact" }>): ProgramNews[] {
    const key = `${String(attempt)}/${String(draft)}/${slot}`;
    if (!this.#contract.has(slot) || this.#handedIn.has(key)) return [];
    this.#handedIn.add(key);
    return [{ kind: "handed-in", attempt, slot, draft }];
  }

  #progress({ attempt, objective, status, story }: Extract<CodegenEvent, { type: "progress" }>): ProgramNews[] {
    const room = MOST_SENTENCES - this.#sentences;
    // A status counts like a sentence: a program may set it in a loop.
    const news = Math.max(1, story.length);
    this.#sentences += Math.min(room, news);
    this.#leftOut.sentences += Math.max(0, story.length - room);
    if (room <= 0) return [];
    return [
      {
        kind: "progress",
        attempt,
        objective: objective === null ? null : shortenTo(objective, MOST_TEXT),
        status: status === null ? null : shortenTo(status, MOST_TEXT),
        story: story.slice(0, room).map((sentence) => shortenTo(sentence, MOST_TEXT)),
      },
    ];
  }

  #add({ id, parentId }: Pick<EventBody, "id" | "parentId">, body: ProgramEventBody): void {
    if (this.#below === null) return;
    const { log, step, parentId: call } = this.#below;
    // Of what is refused for its contract the end alone is reported, which has nothing else to be below.
    log.add({ ...body, id, parentId: this.#hasBegun ? (parentId ?? call) : call, step });
    this.#hasBegun = true;
  }
}

/** What is reported, without its ids. */
type ProgramEventBody = WithoutIds<Extract<EventBody, { type: "program" | "call" | "notice" }>>;
type WithoutIds<Body> = Body extends EventBody ? Omit<Body, "id" | "parentId" | "step"> : never;

function slotsOf(contract: Contract): Extract<ProgramNews, { kind: "begun" }>["slots"] {
  return Array.from(contract, ([id, entry]) => ({
    id,
    kind: entry.type,
    form: shortenTo(entry.type === "file" ? entry.mime : entry.format, MOST_TEXT),
    filename: entry.type === "file" ? shortenTo(entry.filename, MOST_TEXT) : null,
    description: shortenTo(entry.description, MOST_TEXT),
  }));
}

function slotNews(item: CodegenItem): ProgramNews {
  const { artifactId: slot, status, output, summary, error, draft, gaps, warnings } = item;
  return {
    kind: "slot",
    slot,
    state: status === "success" ? "filled" : error?.error === "artifact_invalid" ? "refused" : "missing",
    output: output === null ? null : outputOf(output),
    summary: shortenTo(summary, MOST_TEXT),
    fault: faultOf(error),
    draft,
    gaps: gaps === null ? null : shortenTo(gaps, MOST_TEXT),
    warnings: cutAll(warnings),
  };
}

function outputOf(output: CodegenOutput): SlotOutput {
  if (output.kind === "inline") return { kind: "inline", text: shortenTo(output.text, MOST_OUTPUT) };
  return { kind: "file", path: output.workspacePath, size: output.size };
}

function faultOf(error: CodegenError | null): ProgramFault | null {
  return error === null ? null : stated(error);
}

function stated({ where, error, description, details }: CodegenError): ProgramFault {
  return {
    where: shortenTo(where, MOST_TEXT),
    error: shortenTo(error, MOST_TEXT),
    description: shortenTo(description, MOST_TEXT),
    details: shortenTo(details, MOST_DETAILS),
  };
}

function cutCode(code: string | null): string | null {
  return code === null ? null : shortenTo(code, MOST_CODE);
}

function cutAll(texts: readonly string[]): string[] {
  return texts.slice(0, MOST_WARNINGS).map((text) => shortenTo(text, MOST_TEXT));
}
