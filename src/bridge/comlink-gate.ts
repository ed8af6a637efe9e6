import type { Endpoint } from "comlink";
import { z } from "zod";

import { messageOf, ProtocolViolationError } from "../protocol/index.js";
import { MessageQueue } from "./message-queue.js";

/**
 * Comlink trusts its other end: through any port on which it exposes something,
 * the other side can reach `constructor` and run code on the page. The worker
 * runs hostile code, so this gate stands before it. It lets through calls of the
 * named functions with arguments that their schemas accept, and plain replies to
 * calls the page made. Anything else closes the port and is reported.
 */
export interface ComlinkGate {
  /** For `expose`: hears calls, sends answers. */
  readonly calls: Endpoint;
  /** For `wrap`: sends the page's calls, hears the answers. */
  readonly replies: Endpoint;
  close(): void;
}

export interface GateListeners {
  /** The worker broke the protocol; the port is closed. */
  readonly onViolation: (error: ProtocolViolationError) => void;
  /** What the worker sent is gone, for want of memory or with its frame; the port is closed. */
  readonly onLost: (error: Error) => void;
}

/** The schema of each function's argument list. */
export type ArgumentSchemas = ReadonlyMap<string, z.ZodType<unknown[]>>;

/** They say how far the worker is, and do not wait while the page reads what else it sent. */
const OVERTAKING: ReadonlySet<string> = new Set(["phase", "taken"]);

/** The function whose answer may go another way: then nobody waits for Comlink's empty one. */
const ANSWERED_ELSEWHERE = "request";

const Call = z.strictObject({
  id: z.string().min(1).max(100),
  type: z.literal("APPLY"),
  path: z.tuple([z.string()]),
  argumentList: z.array(z.strictObject({ type: z.literal("RAW"), value: z.unknown() })),
});

const Reply = z.discriminatedUnion("type", [
  z.strictObject({ id: z.string(), type: z.literal("RAW"), value: z.unknown() }),
  z.strictObject({
    id: z.string(),
    type: z.literal("HANDLER"),
    name: z.literal("throw"),
    value: z.strictObject({
      isError: z.literal(true),
      value: z.strictObject({ message: z.string(), name: z.string(), stack: z.string().optional() }),
    }),
  }),
]);

export function comlinkGate(
  port: MessagePort,
  functions: ArgumentSchemas,
  { onViolation, onLost }: GateListeners,
): ComlinkGate {
  const calls = new GateEndpoint(port);
  const replies = new GateEndpoint(port);
  const backlog = new Backlog();
  const close = (): void => {
    queue.close();
    backlog.close();
    port.onmessage = null;
    port.onmessageerror = null;
    port.close();
  };
  const refuse = (what: string): void => {
    close();
    onViolation(new ProtocolViolationError(what));
  };
  const lose = (cause: unknown): void => {
    close();
    onLost(new Error(`A large message of the worker could not be read (${messageOf(cause)}).`, { cause }));
  };
  const hear = (data: unknown): void => {
    // Calls first: there are many more of them, and a schema that fails takes its time.
    const call = Call.safeParse(data);
    if (!call.success) {
      const reply = Reply.safeParse(data);
      if (!reply.success) refuse("neither a call of a known function nor a reply");
      else if (replies.expects(reply.data.id)) replies.hear(reply.data);
      else refuse("a reply that nobody asked for");
      return;
    }
    const [name] = call.data.path;
    const schema = functions.get(name);
    const parsed = schema?.safeParse(call.data.argumentList.map(({ value }) => value));
    if (parsed?.success === true) {
      if (name === ANSWERED_ELSEWHERE) calls.expectNoReceipt(call.data.id);
      calls.hear({ ...call.data, argumentList: parsed.data.map((value) => ({ type: "RAW", value })) });
    } else {
      refuse(schema === undefined ? `a call of "${name.slice(0, 40)}"` : `a call of "${name}" with other arguments`);
    }
  };
  const queue = new MessageQueue({
    hear,
    overtakes: (message) => OVERTAKING.has(Call.safeParse(message).data?.path[0] ?? ""),
    fail: (error) => {
      if (error instanceof ProtocolViolationError) refuse(error.what);
      else lose(error);
    },
    longest: LONGEST_QUEUE,
  });
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (backlog.grows() || !queue.take(data)) refuse("more messages than the page can answer");
  };
  port.onmessageerror = () => {
    refuse("a message that cannot be read");
  };
  return { calls, replies, close };
}

/** Messages that may wait for the blobs of one before them to be read: output of seconds. */
const LONGEST_QUEUE = 100_000;

/** Messages that may wait for the page at once. A worker of ours comes to some hundreds. */
const LONGEST_BACKLOG = 2000;

/**
 * Tells whether messages come faster than the page deals with them. Browsers
 * serve messages in the order in which they were sent, those from a worker before
 * any timer of the page that is younger: a second of them would stop the page,
 * and what would end the worker, for half a minute.
 */
class Backlog {
  readonly #own = new MessageChannel();
  #waiting = 0;

  constructor() {
    // It comes behind what the worker had sent by then.
    this.#own.port2.onmessage = () => {
      this.#waiting = 0;
    };
  }

  /** One message more; true when that is too many. */
  grows(): boolean {
    if (this.#waiting === 0) this.#own.port1.postMessage(null);
    this.#waiting += 1;
    return this.#waiting > LONGEST_BACKLOG;
  }

  close(): void {
    this.#own.port1.close();
    this.#own.port2.close();
  }
}

/** One direction of the port, as Comlink sees it. */
class GateEndpoint implements Endpoint {
  readonly #port: MessagePort;
  readonly #listeners = new Set<(event: MessageEvent) => void>();
  readonly #expected = new Set<string>();
  readonly #withoutReceipt = new Set<string>();

  constructor(port: MessagePort) {
    this.#port = port;
  }

  postMessage(message: { id?: string; type?: string; value?: unknown }, transfer?: Transferable[]): void {
    const isReceipt = message.type === "RAW" && message.value === undefined;
    if (message.id !== undefined && this.#withoutReceipt.delete(message.id) && isReceipt) return;
    // Answers have an id too, but nobody answers them.
    const isQuestion = message.type !== "RAW" && message.type !== "HANDLER";
    if (isQuestion && message.id !== undefined) this.#expected.add(message.id);
    this.#port.postMessage(message, transfer ?? []);
  }

  /** The caller of this id wants an answer that says something, or none. */
  expectNoReceipt(id: string): void {
    this.#withoutReceipt.add(id);
  }

  /** Each call is answered once: a replayed answer is not expected any more. */
  expects(id: string): boolean {
    return this.#expected.delete(id);
  }

  hear(data: unknown): void {
    for (const listener of this.#listeners) listener(new MessageEvent("message", { data }));
  }

  addEventListener(_type: string, listener: EventListenerOrEventListenerObject): void {
    if (typeof listener === "function") this.#listeners.add(listener);
  }

  removeEventListener(_type: string, listener: EventListenerOrEventListenerObject): void {
    if (typeof listener === "function") this.#listeners.delete(listener);
  }
}
