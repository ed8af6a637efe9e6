/** A call that wants to be made. */
export interface PlaceRequest {
  readonly id: string;
  /** The calls in whose course it is made, the nearest first. */
  readonly ancestors: readonly string[];
  /** Aborted when nobody waits for the call any more. */
  readonly signal: AbortSignal;
  /** Told when it has to wait. */
  readonly onWait: () => void;
}

/** Who works at a place: the last one works, and each of the others waits for the next. */
type Place = string[];

interface Waiting {
  readonly request: PlaceRequest;
  begin(leave: () => void): void;
}

/**
 * So many calls work at a time; the others wait in the order in which they came.
 *
 * A call made in the course of another may use its place, since that one waits: so calls inside one another never wait
 * for places that they hold themselves, however few there are. What a call starts beside that takes places like any
 * other.
 */
export class CallPlaces {
  readonly #places = new Map<string, Place>();
  readonly #waiting: Waiting[] = [];
  #free: number;

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Resolves with how to leave the place; calling that twice is fine. Rejects with the reason of `signal`. */
  async take(request: PlaceRequest): Promise<() => void> {
    request.signal.throwIfAborted();
    const place = this.#placeFor(request);
    return place === undefined ? this.#wait(request) : this.#occupy(place, request.id);
  }

  #placeFor({ ancestors }: PlaceRequest): Place | undefined {
    const lent = this.#lendable(ancestors);
    if (lent !== undefined) return lent;
    if (this.#free === 0) return undefined;
    this.#free -= 1;
    return [];
  }

  /** The place of the nearest call that has one, if that call lends it to nobody now. */
  #lendable(ancestors: readonly string[]): Place | undefined {
    const holder = ancestors.find((id) => this.#places.has(id));
    const place = holder === undefined ? undefined : this.#places.get(holder);
    return place?.at(-1) === holder ? place : undefined;
  }

  #wait(request: PlaceRequest): Promise<() => void> {
    const { signal } = request;
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        request,
        begin: (leave) => {
          signal.removeEventListener("abort", giveUp);
          resolve(leave);
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

  #occupy(place: Place, id: string): () => void {
    place.push(id);
    this.#places.set(id, place);
    let isThere = true;
    return () => {
      if (isThere) this.#leave(place, id);
      isThere = false;
    };
  }

  #leave(place: Place, id: string): void {
    place.splice(place.lastIndexOf(id), 1);
    // A middleware may make a call twice at once; then it has two places.
    if (this.#places.get(id) === place && !place.includes(id)) this.#places.delete(id);
    const next =
      place.length === 0
        ? this.#waiting[0]
        : this.#waiting.find(({ request }) => this.#lendable(request.ancestors) === place);
    if (next !== undefined) this.#admit(next, place);
    else if (place.length === 0) this.#free += 1;
  }

  #admit(waiting: Waiting, place: Place): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    // At once, so that nobody else finds the place free meanwhile.
    waiting.begin(this.#occupy(place, waiting.request.id));
  }
}
