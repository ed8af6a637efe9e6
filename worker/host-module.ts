import type { BridgeEvent, RunPhase, SignalType } from "../src/protocol/index.js";
import type { CStack } from "./c-stack.js";
import type { InterpreterMemory } from "./interpreter-memory.js";
import type { InterpreterWorkspace } from "./interpreter-workspace.js";
import type { InterruptReason, InterruptSignal } from "./interrupt-signal.js";
import type { OutputStream } from "./output-stream.js";
import type { ThreadSleep } from "./thread-sleep.js";
import type { BesideWait } from "./transports/beside-wait.js";
import type { BridgeTransport } from "./transports/transport.js";

/** Milliseconds between two looks whether a sleep is to be interrupted. */
const SLEEP_SLICE = 25;

/** Milliseconds: a shorter wait is no reason to stop a clock, of which the page is told. */
const SHORT_WAIT = 5;

/** An event as Python takes it apart: kind, id, text, buffers. */
type EventTuple = readonly [string, number, string, readonly Uint8Array[]];

/**
 * One event without bytes, as kind, id and text with a space between: Python takes a text as it is, and asks
 * JavaScript for each part of a tuple.
 */
type EventText = string;

type Events = EventText | readonly EventTuple[];

/**
 * The JavaScript that Python sees, as the module `_vitrine_host`;
 * `worker/python/vitrine/_host.py` is its only user. Numbers stand in for
 * `None`, which would cost a conversion on every call: a negative time means
 * no limit.
 */
export interface HostModule {
  readonly can_block: boolean;
  readonly waits_by_promise: boolean;
  post(id: number, method: string, parent: string | undefined, text: string, buffers: Uint8Array<ArrayBuffer>[]): void;
  /**
   * With `waits_by_promise` Python is suspended on the promise, and asks for the events with `take_events` then.
   * The promise comes in an object: Pyodide would turn a bare one into a future of a loop.
   *
   * @param passesTime - nothing is waited for but the time, which counts as the code's own.
   */
  wait(milliseconds: number, passesTime?: boolean): Events | { readonly promise: Promise<void> };
  /** Suspends Python whatever the transport, so that JavaScript goes on meanwhile. `wake` ends it early. */
  wait_beside(milliseconds: number): { readonly promise: Promise<void> };
  wake(): void;
  take_events(): Events;
  /** Stops the thread until the time is over or there is an interrupt, where nothing else can be waited for. */
  sleep(milliseconds: number): Events;
  write(stream: "stdout" | "stderr", text: string): void;
  display(source: "value" | "display" | "figure", data: Record<string, string | Uint8Array<ArrayBuffer>>): void;
  signal(type: SignalType, message: string): void;
  arm(milliseconds: number): void;
  disarm(): InterruptReason | undefined;
  /** Tells Python of the same interrupt again, a moment later or when it waits. */
  postpone_interrupt(): void;
  /** Bytes of the heap's limit if it refused an allocation of this run, else -1. */
  refused_heap(): number;
  /** Lets C code recurse as far as runs may. */
  protect_stack(): void;
  /** Lets it recurse as far as CPython would. */
  release_stack(): void;
  /** What changed in the workspace since the page heard of it. Undefined stands for the content of a deleted file. */
  collect_files(): {
    readonly files: readonly (readonly [path: string, content: Uint8Array<ArrayBuffer> | undefined])[];
    readonly problems: readonly (readonly [path: string, reason: string])[];
    /** What is there beside files. */
    readonly unstored: readonly (readonly [path: string, kind: string, note: string])[];
  };
  /** Brings in what changed outside. Answers with what could not be brought in. */
  apply_files(
    files: Iterable<readonly [path: string, content: Uint8Array<ArrayBuffer> | undefined]>,
  ): readonly (readonly [path: string, reason: string])[];
  from_entries(entries: Iterable<readonly [string, unknown]>): Record<string, unknown>;
}

export interface HostParts {
  readonly transport: BridgeTransport | null;
  readonly beside: BesideWait;
  readonly output: OutputStream;
  readonly signal: InterruptSignal;
  readonly memory: InterpreterMemory;
  readonly stack: CStack;
  readonly sleep: ThreadSleep;
  readonly workspace: InterpreterWorkspace;
  /** The run that is going on, by which the page knows whose call it is. */
  readonly currentRunId: () => string;
  readonly onPhase: (phase: RunPhase) => void;
}

export function createHostModule(parts: HostParts): HostModule {
  const { transport, beside, output, signal, memory, stack, currentRunId, onPhase } = parts;
  let waited: BridgeEvent[] = [];
  let isClockStopped = false;
  const beginWait = (): void => {
    isClockStopped = signal.beginWait();
    if (isClockStopped) onPhase("waiting");
  };
  const finishWait = (events: readonly BridgeEvent[]): Events => {
    if (isClockStopped) {
      isClockStopped = false;
      signal.endWait();
      onPhase("running");
    }
    // An invocation of an earlier run, whose tool has given up by now, must not act in this one.
    const current = events.filter((event) => !("runId" in event) || event.runId === currentRunId());
    for (const { kind } of current) {
      if (kind === "pause") signal.pause();
      else if (kind === "resume") signal.resume();
    }
    const tuples = current.filter(({ kind }) => kind !== "pause" && kind !== "resume").map(eventTuple);
    if (signal.fire(performance.now())) return [...tuples, ["interrupt", 0, "", []]];
    const [[kind, id, text, buffers] = [], ...others] = tuples;
    return buffers?.length === 0 && others.length === 0 ? `${kind} ${String(id)} ${text}` : tuples;
  };
  const begin = (milliseconds: number, passesTime: boolean): number => {
    output.flush();
    if (!passesTime && (milliseconds < 0 || milliseconds > SHORT_WAIT)) beginWait();
    const until = milliseconds < 0 ? Infinity : performance.now() + milliseconds;
    return Math.min(until, signal.deadline);
  };
  const suspendOn = (events: Promise<BridgeEvent[]>): { readonly promise: Promise<void> } => {
    // Until Python has the events, the code that runs is Pyodide's, which an interrupt would break.
    signal.hold();
    return {
      promise: events.then((arrived) => {
        waited = arrived;
      }),
    };
  };
  return {
    can_block: transport !== null,
    waits_by_promise: transport?.kind === "jspi",
    post: (id, method, parent, text, buffers) => {
      // What was said before a call is heard before it.
      output.flush();
      transport?.post({ id, runId: currentRunId(), parent: parent ?? null, method, payload: { text, buffers } });
    },
    wait: (milliseconds, passesTime = false) => {
      const events = transport?.wait(begin(milliseconds, passesTime)) ?? [];
      return events instanceof Promise ? suspendOn(events) : finishWait(events);
    },
    wait_beside: (milliseconds) => suspendOn(beside.wait(begin(milliseconds, false))),
    wake: () => {
      beside.wake();
    },
    take_events: () => {
      signal.release();
      return finishWait(waited.splice(0));
    },
    sleep: (milliseconds) => {
      output.flush();
      const until = performance.now() + milliseconds;
      for (let now = performance.now(); now < until && !signal.isDue(now); now = performance.now()) {
        parts.sleep(Math.max(0, Math.min(SLEEP_SLICE, until - now, signal.deadline - now)));
      }
      return finishWait([]);
    },
    write: (stream, text) => {
      output.write(stream, text);
    },
    display: (source, data) => {
      output.add({ kind: "display", source, data });
    },
    signal: (type, message) => {
      output.add({ kind: "signal", type, message });
    },
    arm: (milliseconds) => {
      memory.wasRefused = false;
      signal.arm(milliseconds);
      onPhase("running");
    },
    disarm: () => {
      const reason = signal.disarm();
      onPhase("finishing");
      return reason ?? undefined;
    },
    postpone_interrupt: () => {
      signal.postpone();
    },
    refused_heap: () => (memory.wasRefused ? memory.effectiveLimit : -1),
    protect_stack: () => {
      stack.protect();
    },
    release_stack: () => {
      stack.release();
    },
    collect_files: () => {
      const { files, problems, unstored } = parts.workspace.collect();
      return {
        files: files.map(({ path, content }) => [path, content ?? undefined] as const),
        problems: problems.map(({ path, reason }) => [path, reason] as const),
        unstored: unstored.map(({ path, kind, note = "" }) => [path, kind, note] as const),
      };
    },
    apply_files: (files) => {
      const changes = Array.from(files, ([path, content]) => ({ path, content: content ?? null }));
      return parts.workspace.apply(changes).map(({ path, reason }) => [path, reason] as const);
    },
    // Object.fromEntries defines keys, also "__proto__"; an assignment would not.
    from_entries: (entries) => Object.fromEntries(entries),
  };
}

function eventTuple(event: BridgeEvent): EventTuple {
  if (event.kind === "interrupt") return ["interrupt", 0, "", []];
  return [event.kind, event.id, event.payload.text, event.payload.buffers];
}
