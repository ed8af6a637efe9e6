import type { InnerSession } from "./child-session.js";

interface Child {
  readonly session: Pick<InnerSession, "openChild" | "onStateChange" | "close">;
  /** Whether the call is one that the child's own code makes. */
  readonly isMaking: (callId: string) => boolean;
  readonly children: ChildSessions;
}

/** The sessions that were opened inside one, to any depth: they end with it, and wait with it. */
export class ChildSessions {
  /** Stops the clock of the session's own run. Returns how to let it go on. */
  readonly #pauseOwn: () => () => void;
  readonly #inside = new Set<Child>();
  /** Who waits for calls that they make outside of any run. */
  readonly #outside = new Set<() => () => void>();

  constructor(pauseOwn: () => () => void) {
    this.#pauseOwn = pauseOwn;
  }

  /** Takes in a session that was opened inside this one, with those inside it. */
  adopt(child: Child): void {
    this.#inside.add(child);
    child.session.onStateChange((state) => {
      if (state === "closed") this.#inside.delete(child);
    });
  }

  /** The one inside whose code makes the call, than which nothing that works for it may be weaker. */
  makerOf(callId: string): Child["session"] | undefined {
    for (const { session, isMaking, children } of this.#inside) {
      const maker = isMaking(callId) ? session : children.makerOf(callId);
      if (maker !== undefined) return maker;
    }
    return undefined;
  }

  /** Calls back whenever the clocks stop, for somebody who waits outside of any run. Returns how to end that. */
  watchPauses(onPause: () => () => void): () => void {
    // One listener may wait for several calls.
    const own = (): (() => void) => onPause();
    this.#outside.add(own);
    return () => this.#outside.delete(own);
  }

  /** Code that waits for a child waits for the person, too, and the other way round. */
  pauseClocks(): () => void {
    const resumes = [
      this.#pauseOwn(),
      ...Array.from(this.#outside, (pause) => pause()),
      ...Array.from(this.#inside, ({ children }) => children.pauseClocks()),
    ];
    return () => {
      for (const resume of resumes) resume();
    };
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#inside, ({ session }) => session.close()));
  }
}
