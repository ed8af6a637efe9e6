import { vi } from "vitest";

/**
 * Counts the turns that the page has while something is done in slices, each of which is used up at the first look at the
 * clock.
 *
 * @returns how to end that, which says how many there were.
 */
export function countTurns(): () => number {
  let time = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (time += 100));
  let turns = 0;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    turns += 1;
    port2.postMessage(null);
  };
  port2.postMessage(null);
  return () => {
    port1.close();
    clock.mockRestore();
    return turns;
  };
}
