// Runs jobs side by side, each once those that it needs have ended.

/**
 * @typedef {object} Job
 * @property {string} name
 * @property {() => Promise<void>} run - must not reject.
 * @property {string[]} [after] - Jobs whose result this one needs.
 * @property {boolean} [alone] - Nothing else runs meanwhile: it uses every core, or must be awake in time.
 */

/**
 * Starts jobs in their order, as many at a time as there are lanes. One that has to wait for another lets later ones go
 * ahead, except past a job that wants to be alone.
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
    const next = nextJob();
    if (next !== undefined) start(next);
    else if (running.size > 0) await Promise.race(running.values());
    else throw new Error(`These wait for each other: ${waiting.map(({ name }) => name).join(", ")}.`);
  }

  function nextJob() {
    if (running.size >= lanes || [...running.keys()].some((name) => jobNamed(name)?.alone)) return undefined;
    const firstAlone = waiting.findIndex(({ alone = false }) => alone);
    if (firstAlone === 0) return running.size === 0 ? waiting[0] : undefined;
    return waiting.slice(0, firstAlone === -1 ? undefined : firstAlone).find(isReady);
  }

  function jobNamed(/** @type {string} */ name) {
    return jobs.find((job) => job.name === name);
  }
}
