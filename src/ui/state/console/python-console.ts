import { messageOf, type Completion } from "../../../protocol/index.js";
import type { RunResult } from "../../../session/index.js";
import type { DemoSession } from "../session/demo-session.js";
import { progressText } from "../text/call-text.js";
import { Observable } from "../text/observable.js";
import { OutputLog } from "../text/output-log.js";
import type { Snippet } from "./snippets.js";

/** One input of the console and what came of it. */
export interface ConsoleEntry {
  readonly kind: "run";
  readonly id: number;
  readonly code: string;
  /** `waiting`: the agent's code runs first. */
  state: "waiting" | "running" | "done";
  readonly output: OutputLog;
  result: RunResult | null;
  /** How far a call of its code has come, in words; empty where none says so. */
  progress: string;
  version: number;
}

/** A line that the page itself put there. */
export interface ConsoleNote {
  readonly kind: "note";
  readonly id: number;
  readonly text: string;
}

/** Python on the session that the agent uses too. */
export class PythonConsole extends Observable {
  readonly entries: (ConsoleEntry | ConsoleNote)[] = [];
  /** Cells that are ready to run: they lie below what was run. */
  snippets: readonly Snippet[] = [];
  readonly #session: DemoSession;
  readonly #stops = new Map<number, AbortController>();
  readonly #history: string[] = [];
  #count = 0;

  constructor(session: DemoSession) {
    super();
    this.#session = session;
    session.onOpen((opened) => {
      opened.onStateChange((state) => {
        if (state === "running") this.#noticeStart();
      });
    });
  }

  /** What was run, oldest first. */
  get history(): readonly string[] {
    return this.#history;
  }

  /** Whether code of the agent, or of an earlier entry, runs now. */
  get busy(): boolean {
    return this.#session.state === "running";
  }

  async run(code: string): Promise<void> {
    if (code.trim() === "") return;
    this.#count += 1;
    const id = this.#count;
    if (this.#history.at(-1) !== code) this.#history.push(code);
    const state = this.busy || this.#session.phase.kind !== "ready" ? "waiting" : "running";
    const entry: ConsoleEntry = {
      kind: "run",
      id,
      code,
      state,
      output: new OutputLog(),
      result: null,
      progress: "",
      version: 0,
    };
    this.entries.push(entry);
    const stop = new AbortController();
    this.#stops.set(id, stop);
    this.changed();
    try {
      const session = await this.#session.open();
      entry.result = await session.run(code, {
        name: `console ${String(id)}`,
        signal: stop.signal,
        onOutput: (chunk) => {
          entry.state = "running";
          entry.output.add(chunk);
          this.#touch(entry);
        },
        onCallProgress: (progress) => {
          entry.progress = progressText(progress);
          this.#touch(entry);
        },
        onCall: ({ outcome }) => {
          if (outcome.kind === "pending" || entry.progress === "") return;
          entry.progress = "";
          this.#touch(entry);
        },
      });
    } catch (error) {
      this.#note(`Python did not start: ${messageOf(error)}`);
    } finally {
      this.#stops.delete(id);
      entry.state = "done";
      this.#touch(entry);
    }
  }

  /** Lays cells ready, in place of those that lay there. */
  suggest(snippets: readonly Snippet[]): void {
    this.snippets = snippets;
    this.changed();
  }

  /** Runs a cell, and takes it away from those that lie ready. */
  async runSnippet(snippet: Snippet): Promise<void> {
    this.suggest(this.snippets.filter((each) => each !== snippet));
    await this.run(snippet.code);
  }

  stop(id: number): void {
    this.#stops.get(id)?.abort();
  }

  clear(): void {
    this.entries.splice(
      0,
      this.entries.length,
      ...this.entries.filter((entry) => entry.kind === "run" && entry.state !== "done"),
    );
    this.changed();
  }

  /** Says something between the entries: that the variables are gone, for instance. */
  note(text: string): void {
    this.#note(text);
  }

  /** Null while code runs: the interpreter answers nobody then. */
  async complete(code: string): Promise<Completion | null> {
    const session = this.#session.current;
    if (session?.state !== "idle") return null;
    return session.complete(code);
  }

  #note(text: string): void {
    this.#count += 1;
    this.entries.push({ kind: "note", id: this.#count, text });
    this.changed();
  }

  // Runs take turns in the order in which they came, so the first that waits is the one that starts.
  #noticeStart(): void {
    const next = this.entries.find((entry) => entry.kind === "run" && entry.state === "waiting");
    if (next?.kind !== "run") return;
    next.state = "running";
    this.#touch(next);
  }

  #touch(entry: ConsoleEntry): void {
    entry.version += 1;
    this.changed();
  }
}
