/** Bytes of one event of a stream. The SDK keeps them until it is over, and looks them all through again with each piece. */
const LONGEST_EVENT = 2_000_000;
/** Bytes of a whole answer: a long reply in pieces of a few letters, each with its envelope. */
const LONGEST_ANSWER = 256_000_000;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * The same response, with its bytes watched: `heard` is called for each piece,
 * comments that keep the connection alive included, and more than anybody
 * means to send ends it with the error that `tooLong` makes.
 */
export function watchBody(
  response: Response,
  { heard, tooLong }: { readonly heard: () => void; readonly tooLong: (what: string) => Error },
): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  let whole = 0;
  let event = 0;
  let lineIsEmpty = false;
  const watched = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { value: piece, done } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        heard();
        whole += piece.length;
        for (const byte of piece) {
          event++;
          if (byte === LINE_FEED) {
            if (lineIsEmpty) event = 0;
            lineIsEmpty = true;
          } else if (byte !== CARRIAGE_RETURN) lineIsEmpty = false;
        }
        controller.enqueue(piece);
        if (event <= LONGEST_EVENT && whole <= LONGEST_ANSWER) return;
        const [limit, what] = event > LONGEST_EVENT ? [LONGEST_EVENT, "an event of "] : [LONGEST_ANSWER, ""];
        const error = tooLong(`${what}more than ${String(limit)} bytes`);
        // Else the server would go on sending.
        void reader.cancel(error);
        throw error;
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead: a stream that breaks drops what waits in it, as a pipe through a TransformStream would.
    { highWaterMark: 0 },
  );
  return new Response(watched, response);
}
