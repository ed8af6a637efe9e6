import { withBlobs, type BridgeEvent, type BridgeRequest, type SentEvent } from "../src/protocol/index.js";
import { wholeEvent } from "./whole-contents.js";

/** The page's answer to a call of Comlink's form. */
type Answer =
  | { readonly id: string; readonly type: "RAW"; readonly value: SentEvent | undefined }
  | { readonly id: string; readonly type: "HANDLER"; readonly value: { readonly value: { readonly message: string } } };

/**
 * Calls of the page's `request`, in the form of Comlink's messages. Comlink itself makes a random id, a promise and
 * a proxy for each, which is more than the rest of a call takes in JavaScript.
 */
export class PageRequests {
  readonly #port: MessagePort;
  readonly #pause: () => void;
  readonly #waiting = new Map<string, (answer: Answer) => void>();
  #lastId = 0;

  /** @param pause - Gives the page a turn, between pieces of a large message. */
  constructor(port: MessagePort, pause: () => void) {
    this.#port = port;
    this.#pause = pause;
    port.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      const hear = this.#waiting.get(data.id);
      if (hear === undefined) return;
      this.#waiting.delete(data.id);
      hear(data);
    });
  }

  /** Sends a request whose answer comes another way: the page makes no receipt. */
  send(request: BridgeRequest): void {
    this.#post(request);
  }

  /** Sends a request that is answered by a message. @throws {Error} when the page could not make the answer. */
  async ask(request: BridgeRequest): Promise<BridgeEvent | undefined> {
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(this.#post(request), resolve);
    });
    if (answer.type === "HANDLER") throw new Error(answer.value.value.message);
    return answer.value === undefined ? undefined : await wholeEvent(answer.value);
  }

  #post(request: BridgeRequest): string {
    const id = `r${String((this.#lastId += 1))}`;
    const call = { id, type: "APPLY", path: ["request"], argumentList: [{ type: "RAW", value: request }] };
    const message = withBlobs(call, this.#pause);
    // The bytes were copied out of the interpreter for this message alone.
    const bytes = message === call ? request.payload.buffers.map(({ buffer }) => buffer) : [];
    this.#port.postMessage(message, bytes);
    return id;
  }
}
