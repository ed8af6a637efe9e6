import { expose, transfer, wrap } from "comlink";
import { z } from "zod";

import {
  BridgeRequest,
  decodeValue,
  encodeValue,
  isRecord,
  OutputChunk,
  RunPhase,
  VitrineError,
  type BridgeEvent,
  type EncodedValue,
  type PageApi,
  type ProtocolViolationError,
  type Value,
  type WorkerApi,
} from "../protocol/index.js";
import { comlinkGate, type ArgumentSchemas } from "./comlink-gate.js";
import type { Outbox } from "./outbox.js";

/** What a request is about, beside its arguments. */
export interface BridgeContext {
  readonly runId: string;
  /** The journalled call in whose course this one was made. The worker says so: check it before use. */
  readonly parent: string | null;
}

/** Answers one method of the bridge. What it throws is raised in Python as the class of that name. */
export type BridgeHandler = (args: Readonly<Record<string, Value>>, context: BridgeContext) => Value | Promise<Value>;

export interface BridgeOptions {
  /** By method name, `tools.call` for instance. The bridge knows none of them. */
  readonly handlers: ReadonlyMap<string, BridgeHandler>;
  /**
   * Called with every request before anything of it is read. Answers with what to call once it is answered, or
   * throws to refuse it. Default: everything is admitted.
   */
  readonly admit?: ((method: string) => () => void) | undefined;
  readonly onOutput: (chunks: readonly OutputChunk[]) => void;
  /** The code of a run begins or has ended, as far as the worker can be believed. */
  readonly onPhase: (runId: string, phase: RunPhase) => void;
  /** The worker broke the protocol; the port is closed already. */
  readonly onViolation: (error: ProtocolViolationError) => void;
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
  send(event: BridgeEvent): void;
  close(): void;
}

/** Pieces of output in one message. The worker sends every 16 ms what has come. */
const MOST_PIECES = 10_000;

/** Characters of the text of a request, which is read in one go. Bytes beside it do not count. */
const LONGEST_TEXT = 64 * 2 ** 20;

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
  const { handlers, onOutput, onPhase, onViolation } = options;
  const gate = comlinkGate(port, functions, onViolation);
  let outbox: Outbox | null = null;

  const api: PageApi = {
    request: async (request) => {
      const event = await answer(handlers, request, options.admit);
      if (outbox === null) return withTransfer(event);
      outbox.send(event);
      return undefined;
    },
    output: onOutput,
    phase: onPhase,
    taken: (mail) => outbox?.taken(mail),
  };
  expose(api, gate.calls);
  const worker = wrap<WorkerApi>(gate.replies);
  return {
    worker,
    use: (next) => {
      outbox = next;
    },
    send: (event) => {
      if (outbox !== null) outbox.send(event);
      // Fails only with the worker itself, which its calls report.
      else worker.deliver(event).catch(() => undefined);
    },
    close: () => {
      gate.close();
      outbox?.close();
    },
  };
}

async function answer(
  handlers: BridgeOptions["handlers"],
  request: BridgeRequest,
  admit: BridgeOptions["admit"],
): Promise<BridgeEvent> {
  const { id, method, runId, parent } = request;
  let release: (() => void) | undefined;
  try {
    release = admit?.(method);
    if (request.payload.text.length > LONGEST_TEXT) throw new RequestTooLargeError(request.payload.text.length);
    const handler = handlers.get(method);
    if (handler === undefined) throw new UnknownMethodError(method);
    const args = decodeValue(request.payload);
    if (!isRecord(args)) throw new TypeError(`The arguments of ${method} are not a dict.`);
    const value = await handler(args, { runId, parent });
    return { kind: "reply", id, payload: encodeValue(value) };
  } catch (error) {
    return { kind: "failure", id, payload: encodeError(error) };
  } finally {
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
  const message = error instanceof Error ? error.message : String(error);
  return encodeValue({ name, code: "UNEXPECTED", message, details: {} });
}

function withTransfer(event: BridgeEvent): BridgeEvent {
  if (event.kind === "interrupt") return event;
  return transfer(
    event,
    event.payload.buffers.map((bytes) => bytes.buffer),
  );
}

/** Reading the arguments would stop the page for too long. */
class RequestTooLargeError extends VitrineError {
  override readonly name = "RPCTransportError";
  readonly code = "REQUEST_TOO_LARGE";

  constructor(readonly length: number) {
    super(
      `The arguments take ${length.toLocaleString("en-US")} characters; ${LONGEST_TEXT.toLocaleString("en-US")} can be ` +
        "sent at once. Send large data as bytes, or in parts.",
    );
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
