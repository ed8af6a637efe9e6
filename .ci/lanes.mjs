// Runs jobs side by side, each once those that it needs have ended.

/**
 * @typedef {object} Job
 * @property {string} name
 * @property {() => Promise<void>} run - must not reject.
 * @property {string[]} [after] - Jobs whose result this one needs.
 */

/**
 * Starts jobs in their order, as many at a time as there are lanes. One that has to wait for another lets later ones go
 * ahead.
 *
 * @param {readonly Job[]} jobs
 * @param {number} lanes
 */
export async function runInLanes(jobs, lanes) {
  const waiting = [...jobs];
  const ended = new Set();
  /** @type {Map<string, Promise<void>>} */
  const running = new Map();
  const isReady = (/** @type {Job} */ { after }) => after?.every((name) => ended.has(name)) ?? true;
  const start = (/** @type {Job} */ job) => {
    waiting.splice(waiting.indexOf(job), 1);
    running.set(
      job.name,
      job.run().finally(() => {
        running.delete(job.name);
        ended.add(job.name);
      }),
    );
  };
  while (waiting.length > 0 || running.size > 0) {
    const next = running.size < lanes ? waiting.find(isReady) : undefined;
    if (next !== undefined) start(next);
    else if (running.size > 0) await Promise.race(running.values());
    else throw new Error(`These wait for each other: ${waiting.map(({ name }) => name).join(", ")}.`);
  }
}
