/**
 * Milliseconds between two beats. A page that is used has such pauses; without them an engine would never find the
 * page idle, and would tidy up in one go what it else does in small slices.
 */
const PERIOD = 4;

/** Beats until it is stopped. The answer stops it and tells the longest time between two beats, in milliseconds. */
export function startHeartbeat(): () => Promise<number> {
  let last = performance.now();
  let longest = 0;
  let stop: (() => void) | undefined;
  const beat = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (stop === undefined) setTimeout(beat, PERIOD);
    else stop();
  };
  setTimeout(beat, PERIOD);
  return async () => {
    await new Promise<void>((resolve) => {
      stop = resolve;
    });
    return longest;
  };
}
