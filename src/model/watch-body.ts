/** Bytes of one event of a stream. The SDK keeps them until it is over, and looks them all through again with each piece. */
const LONGEST_EVENT = 2_000_000;
/** Bytes of a whole answer: a long reply in pieces of a few letters, each with its envelope. */
const LONGEST_ANSWER = 256_000_000;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Bytes that are read ahead of whoever reads the stream. */
const AHEAD = 1_000_000;

/** Who hears of the bytes of an answer. */
export interface BodyListener {
  /** For each piece, comments that keep the connection alive included. */
  readonly heard: () => void;
  /** For the mark at the end of a stream, `data: [DONE]`, which the SDK keeps to itself. */
  readonly done: () => void;
}

/**
 * The same response, with its bytes watched: more than anybody means to send ends it with the error that `tooLong` makes.
 *
 * It reads ahead, and an error comes after what was read: a browser drops what
 * a page has not yet read of a connection that breaks, and a stream drops what
 * waits in it when it fails.
 */
export function watchBody(
  response: Response,
  { heard, done: markDone, tooLong }: BodyListener & { readonly tooLong: (what: string) => Error },
): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const size = new AnswerSize();
  const lines = new LineBeginnings();
  let failure: { readonly error: unknown } | undefined;

  async function read(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> {
    const { value: piece, done } = await reader.read();
    if (done) {
      if (lines.holdsDone()) markDone();
      controller.close();
      return;
    }
    heard();
    if (lines.add(piece)) markDone();
    controller.enqueue(piece);
    const excess = size.add(piece);
    if (excess === null) return;
    const error = tooLong(excess);
    // Else the server would go on sending.
    void reader.cancel(error);
    throw error;
  }

  const watched = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        if (failure === undefined) {
          await read(controller).catch((error: unknown) => {
            failure = { error };
          });
        }
        if (failure !== undefined && controller.desiredSize === AHEAD) throw failure.error;
      },
      cancel: (reason) => reader.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: AHEAD }),
  );
  return new Response(watched, response);
}

class AnswerSize {
  #whole = 0;
  #event = 0;
  #lineIsEmpty = false;

  /** What there is too much of, with `piece`; null while all is well. */
  add(piece: Uint8Array): string | null {
    this.#whole += piece.length;
    for (const byte of piece) {
      this.#event++;
      if (byte === LINE_FEED) {
        if (this.#lineIsEmpty) this.#event = 0;
        this.#lineIsEmpty = true;
      } else if (byte !== CARRIAGE_RETURN) this.#lineIsEmpty = false;
    }
    if (this.#event > LONGEST_EVENT) return `an event of more than ${String(LONGEST_EVENT)} bytes`;
    return this.#whole > LONGEST_ANSWER ? `more than ${String(LONGEST_ANSWER)} bytes` : null;
  }
}

const DONE = /^data: ?\[DONE\]/;
/** Characters of {@link DONE}. */
const DONE_LENGTH = 12;

/** The beginnings of lines, by which the mark at the end of a stream is found. */
class LineBeginnings {
  #line = "";

  /** Whether a line of the piece is the mark. */
  add(piece: Uint8Array): boolean {
    let isDone = false;
    for (const byte of piece) {
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) {
        isDone ||= this.holdsDone();
        this.#line = "";
      } else if (this.#line.length < DONE_LENGTH) this.#line += String.fromCharCode(byte);
    }
    return isDone;
  }

  /** Whether the line that has no end yet is the mark. */
  holdsDone(): boolean {
    return DONE.test(this.#line);
  }
}
