/** Milliseconds that a frame should take: script, layout and paint. */
const FRAME = 16;

/** Things that are drawn at first, while all that draws them is new to the engine, and later at least and at most. */
const FIRST = 1;
const LEAST = 2;
const MOST = 12;

/** Milliseconds of drawing after which whatever else has more to draw waits for the next frame. */
const SHARE = 8;

/** Since when things have been drawn without a turn of the page; undefined where it has had one. */
let drawingSince: number | undefined;

/**
 * How many things of a long list are drawn in one frame, so that none of its frames holds the page up: fewer after a
 * frame that took long, more after a short one.
 */
export class DrawingPace {
  #count = FIRST;
  #began = 0;

  /** Things to draw in the frame that begins now: none where others have used it up. Then `rest`, and ask again. */
  begin(): number {
    this.#began = performance.now();
    if (drawingSince === undefined) {
      drawingSince = this.#began;
      void afterFrame().then(() => {
        drawingSince = undefined;
      });
    }
    return this.#began - drawingSince > SHARE ? 0 : this.#count;
  }

  /** Ends when what was drawn is on the screen. */
  async rest(): Promise<void> {
    await afterFrame();
    const took = performance.now() - this.#began;
    if (took > FRAME) this.#count = Math.max(LEAST, Math.floor(this.#count / 2));
    else if (took < FRAME / 2) this.#count = Math.min(MOST, this.#count + 1);
  }
}

/** What is posted in a frame comes after its layout and paint. A timer would be held back in a hidden tab. */
export async function afterFrame(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
  port1.close();
}
