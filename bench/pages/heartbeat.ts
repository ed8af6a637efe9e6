/** Beats as often as the thread lets it. The answer stops it and tells the longest pause, in milliseconds. */
export function startHeartbeat(): () => Promise<number> {
  const { port1, port2 } = new MessageChannel();
  let last = performance.now();
  let longest = 0;
  let stop: (() => void) | undefined;
  port1.onmessage = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (stop === undefined) port2.postMessage(null);
    else stop();
  };
  port2.postMessage(null);
  return async () => {
    await new Promise<void>((resolve) => {
      stop = resolve;
    });
    port1.close();
    return longest;
  };
}
