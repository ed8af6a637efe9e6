import type { PackageSourceOptions } from "../../../deps/index.js";
import type { CallProgress, JournalEntry, OnApproval } from "../../../dispatch/index.js";
import { TaskStore } from "../../../agent/index.js";
import { sparePolicyHere, type LoadProgress } from "../../../executor/index.js";
import { VitrineError, type SourceFile } from "../../../protocol/index.js";
import type { SecretStore } from "../../../secrets/index.js";
import { Session, type SessionOptions, type SessionState } from "../../../session/index.js";
import { memoryStorage, StorageError, type StorageBackend } from "../../../storage/index.js";
import type { McpAnswers } from "../../../tools/index.js";
import { formatElapsed, loadingText } from "../text/format.js";
import { Observable } from "../text/observable.js";

export type SessionPhase =
  | { readonly kind: "opening"; readonly text: string; readonly progress: LoadProgress | undefined }
  /** `elapsed`: milliseconds that opening took. */
  | { readonly kind: "ready"; readonly elapsed: number }
  | { readonly kind: "failed"; readonly error: Error };

/** Where this page keeps things. */
export type StorageKind =
  | { readonly kind: "device" }
  | { readonly kind: "memory"; readonly reason: string; readonly advice: string };

export interface DemoSessionOptions {
  /** Opens the storage of the device. It may fail at its first use. */
  readonly openStorage: () => StorageBackend;
  readonly seeds: readonly SourceFile[];
  readonly corsProxy: () => string;
  /** Empty: the session's default. */
  readonly allowedHosts: () => readonly string[];
  readonly packages: () => readonly PackageSourceOptions[];
  readonly secrets: SecretStore;
  readonly onInput: NonNullable<SessionOptions["onInput"]>;
  readonly onApproval: OnApproval;
  readonly mcp: McpAnswers;
}

/** The page's one session: opening it, opening it anew, and what there is to say about it. */
export class DemoSession extends Observable {
  phase: SessionPhase = { kind: "opening", text: "Loading Python", progress: undefined };
  storage: StorageKind = { kind: "device" };
  /** The storage of the device refuses what is written: what to tell the user. */
  storageTrouble: string | null = null;

  readonly #options: DemoSessionOptions;
  readonly #callListeners = new Set<(entry: JournalEntry) => void>();
  readonly #progressListeners = new Set<(progress: CallProgress) => void>();
  readonly #openListeners = new Set<(session: Session) => void>();
  #backend: StorageBackend | undefined;
  #tasks: TaskStore | undefined;
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;

  constructor(options: DemoSessionOptions) {
    super();
    this.#options = options;
  }

  /** Undefined until it is open. */
  get current(): Session | undefined {
    return this.#session;
  }

  /** Where tasks are kept: on the storage of the session. Undefined until there is one. */
  get tasks(): TaskStore | undefined {
    return this.#tasks;
  }

  get state(): SessionState {
    return this.#session?.state ?? "starting";
  }

  /** The session, opened if it is not. @throws what `Session.open` throws; the next call tries again. */
  open(): Promise<Session> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** Calls `listener` with every session that is opened, the present one included. */
  onOpen(listener: (session: Session) => void): void {
    this.#openListeners.add(listener);
    if (this.#session !== undefined) listener(this.#session);
  }

  /** Hears every call of this session and of those that follow it. @returns how to stop listening. */
  onCall(listener: (entry: JournalEntry) => void): () => void {
    this.#callListeners.add(listener);
    return () => {
      this.#callListeners.delete(listener);
    };
  }

  /** Hears how far calls have come, like {@link onCall}. @returns how to stop listening. */
  onCallProgress(listener: (progress: CallProgress) => void): () => void {
    this.#progressListeners.add(listener);
    return () => {
      this.#progressListeners.delete(listener);
    };
  }

  /** A clean interpreter; what is stored stays. */
  async reset(): Promise<void> {
    const session = this.#session;
    if (session === undefined) {
      await this.open();
      return;
    }
    const started = performance.now();
    this.#setPhase({ kind: "opening", text: "Starting a clean interpreter", progress: undefined });
    try {
      await session.reset();
      this.#setPhase({ kind: "ready", elapsed: performance.now() - started });
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** Closes the session and opens it again: after a change of what it is opened with. */
  async reopen(): Promise<void> {
    await this.#close();
    await this.open();
  }

  /** Leaves the storage of the device alone from here on. */
  async goOnInMemory(): Promise<void> {
    await this.#close();
    this.#backend = undefined;
    this.storageTrouble = null;
    this.storage = { kind: "memory", reason: "You chose to go on without the browser's storage.", advice: "" };
    await this.open();
  }

  async #close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#opening = undefined;
    await session?.close();
  }

  /** It closed itself: its worker broke the protocol. */
  #lose(): void {
    this.#session = undefined;
    this.#opening = undefined;
    this.#fail(
      new Error(
        "The session was closed, because its worker did what it must not. Its variables are gone; what is stored stays.",
      ),
    );
  }

  async #open(): Promise<Session> {
    const started = performance.now();
    this.#setPhase({ kind: "opening", text: "Loading Python", progress: undefined });
    try {
      const session = await this.#openOnSomeStorage();
      this.#session = session;
      session.onStateChange((state) => {
        if (state === "closed" && this.#session === session) this.#lose();
        else this.changed();
      });
      session.onCall((entry) => {
        this.#noticeTrouble(entry);
        for (const listener of this.#callListeners) listener(entry);
      });
      session.onCallProgress((progress) => {
        for (const listener of this.#progressListeners) listener(progress);
      });
      this.#setPhase({ kind: "ready", elapsed: performance.now() - started });
      for (const listener of this.#openListeners) listener(session);
      return session;
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  async #openOnSomeStorage(): Promise<Session> {
    if (this.storage.kind === "memory") return this.#openOn((this.#backend ??= memoryStorage()));
    try {
      this.#backend ??= this.#options.openStorage();
      // A blocked storage shows at its first use; that is cheaper to learn before Python is loaded.
      await this.#backend.get("seeded");
      return await this.#openOn(this.#backend);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      const about = error as { reason?: string; advice?: string };
      this.storage = { kind: "memory", reason: about.reason ?? error.message, advice: about.advice ?? "" };
      this.#backend?.close();
      this.#backend = memoryStorage();
      return this.#openOn(this.#backend);
    }
  }

  #openOn(storage: StorageBackend): Promise<Session> {
    const { seeds, onInput, onApproval, mcp, corsProxy, secrets, packages } = this.#options;
    const allowedHosts = this.#options.allowedHosts();
    const proxy = corsProxy();
    this.#tasks = new TaskStore(storage, {
      onProblem: (error) => {
        if (error instanceof StorageError) this.#setTrouble(error.message);
        else console.error(error);
      },
    });
    this.changed();
    return Session.open({
      storage,
      seeds,
      onInput,
      onApproval,
      mcp,
      secrets,
      ...(allowedHosts.length === 0 ? {} : { allowedHosts }),
      packages: packages(),
      autoInstall: "ask",
      spare: sparePolicyHere(),
      ...(proxy === "" ? {} : { corsProxy: proxy }),
      onProgress: (progress) => {
        if (this.phase.kind === "opening") {
          this.#setPhase({ kind: "opening", text: loadingText(progress), progress });
        }
      },
      onProblem: (error) => {
        if (error instanceof StorageError) this.#setTrouble(error.message);
        else console.error(error);
      },
    });
  }

  #noticeTrouble({ outcome }: JournalEntry): void {
    if (outcome.kind === "error" && outcome.code.startsWith("STORAGE_")) this.#setTrouble(outcome.message);
  }

  #setTrouble(message: string): void {
    if (this.storage.kind === "memory") return;
    this.storageTrouble = message;
    this.changed();
  }

  #setPhase(phase: SessionPhase): void {
    this.phase = phase;
    this.changed();
  }

  #fail(error: unknown): void {
    this.#setPhase({ kind: "failed", error: error instanceof Error ? error : new Error(String(error)) });
  }
}

/** The phase in words, for the bar: what is certain, and nothing else. */
export function phaseText(phase: SessionPhase): string {
  switch (phase.kind) {
    case "opening":
      return phase.text;
    case "ready":
      return `Ready in ${formatElapsed(phase.elapsed)}`;
    case "failed":
      return phase.error instanceof VitrineError ? `Python does not run (${phase.error.code})` : "Python does not run";
  }
}
