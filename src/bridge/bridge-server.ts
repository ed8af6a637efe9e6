import { expose, transfer, wrap } from "comlink";
import { z } from "zod";

import {
  BridgeRequest,
  decodeValueInSlices,
  encodeValue,
  encodeValueInSlices,
  isRecord,
  messageOf,
  OutputChunk,
  RunPhase,
  VitrineError,
  type EncodedValue,
  type PageApi,
  type SentEvent,
  type ProtocolViolationError,
  type Value,
  type WorkerApi,
} from "../protocol/index.js";
import { comlinkGate, type ArgumentSchemas } from "./comlink-gate.js";
import type { Outbox } from "./outbox.js";
import { RequestTurns } from "./request-turns.js";

/** What a request is about, beside its arguments. */
export interface BridgeContext {
  readonly runId: string;
  /** The journalled call in whose course this one was made. The worker says so: check it before use. */
  readonly parent: string | null;
  /**
   * Hands over a part of the answer, which Python hears of while the rest is being made. Parts arrive in the order in
   * which they were sent, and before the answer; those that come after it go nowhere.
   */
  readonly send: (part: Value) => void;
}

/** Answers one method of the bridge. */
export interface BridgeHandler {
  /** What it throws is raised in Python as the class of that name. */
  readonly answer: (args: Readonly<Record<string, Value>>, context: BridgeContext) => Value | Promise<Value>;
  /** Characters that the text of its arguments may have; more is not decoded. Bytes beside it do not count. Default 100,000. */
  readonly longestText?: number;
}

export interface BridgeOptions {
  /** By method name, `tools.call` for instance. The bridge knows none of them. */
  readonly handlers: ReadonlyMap<string, BridgeHandler>;
  /**
   * Called with every request before its arguments are decoded. Answers with what to call once it is answered, or
   * throws to refuse it. Default: everything is admitted.
   */
  readonly admit?: ((method: string) => () => void) | undefined;
  readonly onOutput: (chunks: readonly OutputChunk[]) => void;
  /** The code of a run begins or has ended, as far as the worker can be believed. */
  readonly onPhase: (runId: string, phase: RunPhase) => void;
  /** The worker broke the protocol; the port is closed already. */
  readonly onViolation: (error: ProtocolViolationError) => void;
  /** What the worker sent is gone; the port is closed already. */
  readonly onLost: (error: Error) => void;
}

/** The worker's functions, answered over the port. Spelt out, so that the public types do not need Comlink's. */
export type RemoteWorker = {
  readonly [Name in keyof WorkerApi]: (
    ...args: Parameters<WorkerApi[Name]>
  ) => Promise<Awaited<ReturnType<WorkerApi[Name]>>>;
};

/** A worker that can be called, and whose calls are answered. */
export interface BridgeConnection {
  readonly worker: RemoteWorker;
  /** From now on events go there: the worker said that it hears no messages while it waits. It is closed with the bridge. */
  use(outbox: Outbox): void;
  /** Hands an event to Python while it waits. */
  send(event: SentEvent): void;
  close(): void;
}

/** Pieces of output in one message. The worker sends every 16 ms what has come. */
const MOST_PIECES = 10_000;

/** Characters that the arguments of a method may take that says nothing else: names, queries, addresses. */
const ORDINARY_TEXT = 100_000;

/** Characters that all requests of one method may have together while they wait for their answers. Bytes do not count. */
export const LONGEST_TEXT = 16 * 2 ** 20;

/** Keys of one dict in large arguments, which are listed now and then. */
const MOST_KEYS = 100_000;

const functions: ArgumentSchemas = new Map<string, z.ZodType<unknown[]>>([
  ["request", z.tuple([BridgeRequest])],
  ["output", z.tuple([z.custom<unknown[]>(isOfPieces).pipe(z.array(OutputChunk))])],
  ["phase", z.tuple([z.string(), RunPhase])],
  ["taken", z.tuple([z.int().positive()])],
]);

/** Looked at first: parsing millions of pieces would stop the page. */
function isOfPieces(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MOST_PIECES;
}

/** The page's end of the bridge, on the port of one worker. */
export function connectBridge(port: MessagePort, options: BridgeOptions): BridgeConnection {
  const { handlers, onOutput, onPhase } = options;
  const gate = comlinkGate(port, functions, options);
  const open = new OpenTexts();
  const turns = new RequestTurns();
  let outbox: Outbox | null = null;

  const api: PageApi = {
    request: async (request) => {
      let parts = 0;
      const onPart = (part: SentEvent): void => {
        parts += 1;
        send(part);
      };
      const event = await answer(handlers, request, { admit: options.admit, open, turns, onPart });
      // What comes after parts goes their way: an answer to the message itself could overtake them.
      if (outbox === null && parts === 0) return withTransfer(event);
      send(event);
      return undefined;
    },
    output: onOutput,
    phase: onPhase,
    taken: (mail) => outbox?.taken(mail),
  };
  expose(api, gate.calls);
  const worker = wrap<WorkerApi>(gate.replies);
  const send = (event: SentEvent): void => {
    if (outbox !== null) outbox.send(event);
    // Fails only with the worker itself, which its calls report.
    else worker.deliver(withTransfer(event)).catch(() => undefined);
  };
  return {
    worker,
    use: (next) => {
      outbox = next;
    },
    send,
    close: () => {
      gate.close();
      outbox?.close();
    },
  };
}

/** How much text the requests have that wait for an answer, by method: a tool's result may be as long as its arguments. */
class OpenTexts {
  readonly #lengths = new Map<string, number>();

  /** @returns how to let go of it. @throws {RequestTooLargeError} */
  open(method: string, length: number, limit: number): () => void {
    if (length > limit) throw new RequestTooLargeError(method, length, limit);
    const all = (this.#lengths.get(method) ?? 0) + length;
    if (all > LONGEST_TEXT) throw new RequestTooLargeError(method, all, LONGEST_TEXT);
    this.#lengths.set(method, all);
    return () => {
      this.#lengths.set(method, (this.#lengths.get(method) ?? 0) - length);
    };
  }
}

interface Reading {
  readonly admit: BridgeOptions["admit"];
  readonly open: OpenTexts;
  readonly turns: RequestTurns;
  readonly onPart: (part: SentEvent) => void;
}

/** The parts of one answer. Large ones are written in slices, so that the answer has to wait for them. */
class AnswerParts {
  readonly #id: number;
  readonly #onPart: (part: SentEvent) => void;
  #last: Promise<void> = Promise.resolve();
  #isAnswered = false;

  constructor(id: number, onPart: (part: SentEvent) => void) {
    this.#id = id;
    this.#onPart = onPart;
  }

  send(part: Value): void {
    if (this.#isAnswered) return;
    this.#last = this.#last.then(async () => {
      this.#onPart({ kind: "part", id: this.#id, payload: await encodeValueInSlices(part) });
    });
    // Those who wait for the last of them hear of it.
    this.#last.catch(() => undefined);
  }

  /** Resolves when all have gone; no more are taken. @throws {ValueNotTransferableError} */
  async end(): Promise<void> {
    this.#isAnswered = true;
    await this.#last;
  }
}

async function answer(
  handlers: BridgeOptions["handlers"],
  request: BridgeRequest,
  { admit, open, turns, onPart }: Reading,
): Promise<SentEvent> {
  const { id, method, runId, parent, payload } = request;
  const parts = new AnswerParts(id, onPart);
  let release: (() => void) | undefined;
  let close: (() => void) | undefined;
  try {
    release = admit?.(method);
    const handler = handlers.get(method);
    if (handler === undefined) throw new UnknownMethodError(method);
    close = open.open(method, payload.text.length, handler.longestText ?? ORDINARY_TEXT);
    await turns.take(payload.text.length);
    const args = await decodeValueInSlices(payload, { mostKeys: MOST_KEYS });
    if (!isRecord(args)) throw new TypeError(`The arguments of ${method} are not a dict.`);
    const send = (part: Value): void => {
      parts.send(part);
    };
    const value = await handler.answer(args, { runId, parent, send });
    await parts.end();
    return { kind: "reply", id, payload: await encodeValueInSlices(value) };
  } catch (error) {
    await parts.end().catch(() => undefined);
    return { kind: "failure", id, payload: encodeError(error) };
  } finally {
    close?.();
    release?.();
  }
}

/** The class, the message and the attributes of an error, as Python rebuilds it. */
function encodeError(error: unknown): EncodedValue {
  if (error instanceof VitrineError) {
    const { name, code, message } = error;
    try {
      return encodeValue({ name, code, message, details: error.details() });
    } catch {
      // Details hold what others put there; the error itself must arrive.
      return encodeValue({ name, code, message, details: {} });
    }
  }
  const name = error instanceof Error ? error.name : "Error";
  const message = messageOf(error);
  return encodeValue({ name, code: "UNEXPECTED", message, details: {} });
}

function withTransfer(event: SentEvent): SentEvent {
  if (event.kind === "interrupt") return event;
  const bytes = event.payload.buffers.filter((part) => part instanceof Uint8Array);
  return transfer(
    event,
    bytes.map(({ buffer }) => buffer),
  );
}

/** Arguments are longer than the method takes, or than its open calls may have together. Nothing of them was read. */
class RequestTooLargeError extends VitrineError {
  override readonly name = "RPCTransportError";
  readonly code = "REQUEST_TOO_LARGE";

  constructor(
    readonly method: string,
    /** Characters, of all open calls of the method where those are the limit. */
    readonly length: number,
    readonly limit: number,
  ) {
    const most = limit.toLocaleString("en-US");
    super(
      `The arguments of ${method} come to ${length.toLocaleString("en-US")} characters of text, ` +
        (limit === LONGEST_TEXT
          ? `with those of its other open calls; ${most} can be sent at once. Send large data as bytes, or in parts.`
          : `and it takes ${most}.`),
    );
  }

  override details(): Readonly<Record<string, Value>> {
    return { length: this.length, limit: this.limit };
  }
}

/** Python asked for something the session does not offer. */
class UnknownMethodError extends VitrineError {
  override readonly name = "RPCTransportError";
  readonly code = "UNKNOWN_METHOD";

  constructor(readonly method: string) {
    super(`The page has no method "${method}".`);
  }
}
