import type { Session } from "../session.js";

interface FamilyHead {
  readonly session: Session;
  /** Whether the call is one that the session's own code makes. */
  readonly isMaking: (callId: string) => boolean;
  /** Stops the clock of the session's own run. Returns how to let it go on. */
  readonly pauseClock: () => () => void;
}

/** A session with those that were opened inside it, to any depth: they end with it, and wait with it. */
export class SessionFamily {
  readonly #head: FamilyHead;
  readonly #inside = new Set<SessionFamily>();
  /** Who waits for calls that they make outside of any run. */
  readonly #outside = new Set<() => () => void>();

  constructor(head: FamilyHead) {
    this.#head = head;
  }

  /** Takes in the family of a session that was opened inside this one. */
  adopt(family: SessionFamily): void {
    this.#inside.add(family);
    family.#head.session.onStateChange((state) => {
      if (state === "closed") this.#inside.delete(family);
    });
  }

  /** The session whose call it is, than which nothing that works for it may be weaker; the head where nobody makes it. */
  makerOf(callId: string | undefined): Session {
    const { session } = this.#head;
    return callId === undefined ? session : (this.#findMaker(callId) ?? session);
  }

  /** Calls back whenever the clocks stop, for somebody who waits outside of any run. Returns how to end that. */
  watchPauses(onPause: () => () => void): () => void {
    // One listener may wait for several calls.
    const told = (): (() => void) => onPause();
    this.#outside.add(told);
    return () => this.#outside.delete(told);
  }

  /** Whoever waits for a child waits for the person too, and the other way round. */
  pauseClocks(): () => void {
    const resumes = [
      this.#head.pauseClock(),
      ...Array.from(this.#outside, (pause) => pause()),
      ...Array.from(this.#inside, (family) => family.pauseClocks()),
    ];
    return () => {
      for (const resume of resumes) resume();
    };
  }

  async closeInside(): Promise<void> {
    await Promise.all(Array.from(this.#inside, (family) => family.#head.session.close()));
  }

  #findMaker(callId: string): Session | undefined {
    if (this.#head.isMaking(callId)) return this.#head.session;
    for (const family of this.#inside) {
      const maker = family.#findMaker(callId);
      if (maker !== undefined) return maker;
    }
    return undefined;
  }
}
