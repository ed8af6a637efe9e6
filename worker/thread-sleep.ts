/** Stops this thread for so many milliseconds, without CPU. */
export type ThreadSleep = (milliseconds: number) => void;

const PAGE = 1;

/**
 * A shared memory may be made without any headers as long as it stays in its
 * thread; sleeping needs no more.
 */
export function threadSleep(): ThreadSleep {
  const memory = new WebAssembly.Memory({ initial: PAGE, maximum: PAGE, shared: true });
  const cell = new Int32Array(memory.buffer);
  return (milliseconds) => {
    Atomics.wait(cell, 0, 0, milliseconds);
  };
}
