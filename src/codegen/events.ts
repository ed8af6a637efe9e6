import type { Contract } from "../contract/index.js";
import type { JournalEntry } from "../dispatch/index.js";
import type { ModelNotice, ModelUsage } from "../model/index.js";
import { EventHistory, type OutputChunk } from "../protocol/index.js";
import type { RunError } from "../session/index.js";
import type { CodegenError } from "./errors.js";
import type { CodegenItem } from "./outcome/items.js";
import type { CodegenResult } from "./outcome/result.js";

/** What every event of a generation has. `parentId` names the event that it belongs below. */
interface EventFields {
  readonly id: string;
  readonly parentId: string | null;
  /** The generation's, also in its result. */
  readonly runId: string;
  /** Grows from event to event. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** What an event says beside its place. Attempts count from 1; a repair is another one. */
export type CodegenEventBody =
  /** The first: shown before any code streams. */
  | {
      readonly type: "codegen-started";
      readonly progName: string;
      readonly instruction: string;
      readonly contract: Contract;
      readonly model: string | null;
    }
  | { readonly type: "generation-started"; readonly attempt: number }
  /** Another piece of the program, while it is written. */
  | { readonly type: "program-text"; readonly attempt: number; readonly text: string }
  /** The model failed for a while and is asked again: what was written of the program so far is not part of it. */
  | {
      readonly type: "generation-retry";
      readonly attempt: number;
      /** In a row so far, from 1. */
      readonly failures: number;
      /** Milliseconds until it is asked. */
      readonly delay: number;
      /** Of the failure. */
      readonly code: string;
      readonly message: string;
    }
  | { readonly type: "notice"; readonly attempt: number; readonly notice: ModelNotice }
  | {
      readonly type: "generation-ended";
      readonly attempt: number;
      /** Null where the reply holds no program. */
      readonly code: string | null;
      readonly error: CodegenError | null;
      readonly usage: ModelUsage | null;
      /** Milliseconds. */
      readonly elapsed: number;
    }
  | { readonly type: "run-started"; readonly attempt: number; readonly code: string }
  /** The program said how far it is: what is new, null for what it said nothing of. The whole is `run.projectLog()`. */
  | {
      readonly type: "progress";
      readonly attempt: number;
      readonly objective: string | null;
      readonly status: string | null;
      /** The sentences that came to the story. */
      readonly story: readonly string[];
    }
  /** The program handed in an artifact. Nobody has looked at it yet. */
  | { readonly type: "artifact"; readonly attempt: number; readonly artifactId: string; readonly draft: boolean }
  /** Told twice of a call: when it begins, and with its outcome. */
  | { readonly type: "call"; readonly attempt: number; readonly entry: JournalEntry }
  | { readonly type: "output"; readonly attempt: number; readonly chunk: OutputChunk }
  | {
      readonly type: "run-ended";
      readonly attempt: number;
      readonly runError: RunError | null;
      readonly error: CodegenError | null;
      /** Milliseconds. */
      readonly elapsed: number;
    }
  /** The model is asked for another program. `items`: what came of the attempt that is mended. */
  | {
      readonly type: "repair";
      readonly attempt: number;
      readonly error: CodegenError;
      readonly items: readonly CodegenItem[];
    }
  | { readonly type: "item"; readonly item: CodegenItem }
  /** The last. */
  | { readonly type: "codegen-ended"; readonly result: CodegenResult };

/** What happens while a program is written and run, for a page, a log and a test alike. */
export type CodegenEvent = EventFields & CodegenEventBody;

/** The events of one generation, kept for whoever reads them now or later. */
export class CodegenLog {
  readonly #history = new EventHistory<CodegenEvent>();
  readonly #runId: string;
  readonly #onEvent: ((event: CodegenEvent) => void) | undefined;
  #writeProject: () => string = () => "";

  constructor(runId: string, onEvent?: (event: CodegenEvent) => void) {
    this.#runId = runId;
    this.#onEvent = onEvent;
  }

  get events(): readonly CodegenEvent[] {
    return this.#history.events;
  }

  add(body: CodegenEventBody, place: { readonly id: string; readonly parentId: string | null }): CodegenEvent {
    const event = { ...body, ...place, runId: this.#runId, sequence: this.events.length, time: Date.now() };
    this.#history.add(event);
    try {
      this.#onEvent?.(event);
    } catch (error) {
      // What a listener of the page throws is its own affair: it is reported and breaks nothing here.
      queueMicrotask(() => {
        throw error;
      });
    }
    return event;
  }

  /** The project log of the program that runs, or ran last; written when somebody asks for it. */
  get project(): string {
    return this.#writeProject();
  }

  followProject(write: () => string): void {
    this.#writeProject = write;
  }

  end(): void {
    this.#history.end();
  }

  read(): AsyncGenerator<CodegenEvent, void, void> {
    return this.#history.read();
  }
}
