/** Lets one thing happen after the other. A failure of one does not stop the next. */
export class RunQueue {
  #tail: Promise<unknown> = Promise.resolve();

  add<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(job, job);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
