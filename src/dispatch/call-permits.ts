/** A call that wants to be made. */
export interface PermitRequest {
  readonly id: string;
  /** The calls that it is made inside of, the nearest first. */
  readonly ancestors: readonly string[];
  /** Aborted when the call is not waited for any more. */
  readonly signal: AbortSignal;
  /** Told when it has to wait. */
  readonly onWait: () => void;
}

/** The calls that hold one permit: the last one works, and each of the others waits for the next. */
type Permit = string[];

interface Waiting {
  readonly request: PermitRequest;
  begin(release: () => void): void;
}

/**
 * So many calls work at a time; the others wait in the order in which they came.
 *
 * A call made inside another may use its permit, since that one waits: so calls inside one another never wait for
 * permits that they hold themselves, however few there are. What a call starts beside that takes permits like any other.
 */
export class CallPermits {
  readonly #permits = new Map<string, Permit>();
  readonly #waiting: Waiting[] = [];
  #free: number;

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Resolves with how to release the permit; calling that twice is fine. Rejects with the reason of `signal`. */
  async take(request: PermitRequest): Promise<() => void> {
    request.signal.throwIfAborted();
    const permit = this.#permitFor(request);
    return permit === undefined ? this.#wait(request) : this.#hold(permit, request.id);
  }

  #permitFor({ ancestors }: PermitRequest): Permit | undefined {
    const lent = this.#lendable(ancestors);
    if (lent !== undefined) return lent;
    if (this.#free === 0) return undefined;
    this.#free -= 1;
    return [];
  }

  /** The permit of the nearest call that has one, unless it is lent already. */
  #lendable(ancestors: readonly string[]): Permit | undefined {
    const holder = ancestors.find((id) => this.#permits.has(id));
    const permit = holder === undefined ? undefined : this.#permits.get(holder);
    return permit?.at(-1) === holder ? permit : undefined;
  }

  #wait(request: PermitRequest): Promise<() => void> {
    const { signal } = request;
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        request,
        begin: (release) => {
          signal.removeEventListener("abort", giveUp);
          resolve(release);
        },
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(waiting);
      request.onWait();
    });
  }

  #hold(permit: Permit, id: string): () => void {
    permit.push(id);
    this.#permits.set(id, permit);
    let isThere = true;
    return () => {
      if (isThere) this.#release(permit, id);
      isThere = false;
    };
  }

  #release(permit: Permit, id: string): void {
    permit.splice(permit.lastIndexOf(id), 1);
    // A middleware may make a call twice at once; then it has two permits.
    if (this.#permits.get(id) === permit && !permit.includes(id)) this.#permits.delete(id);
    const next =
      permit.length === 0
        ? this.#waiting[0]
        : this.#waiting.find(({ request }) => this.#lendable(request.ancestors) === permit);
    if (next !== undefined) this.#admit(next, permit);
    else if (permit.length === 0) this.#free += 1;
  }

  #admit(waiting: Waiting, permit: Permit): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    // At once, so that no other call takes the permit meanwhile.
    waiting.begin(this.#hold(permit, waiting.request.id));
  }
}
