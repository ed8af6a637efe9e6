import { optionCheck } from "../options/index.js";
import type { Finding } from "./finding.js";
import { TypeCheckerClosedError } from "./pyright/errors.js";
import type { PyrightChecker } from "./pyright/index.js";
import type { TypeChecker, TypeCheckRequest } from "./type-checker.js";

/** Where the type checker's worker is, and how long it may take, in milliseconds. */
export interface PyrightTypeCheckerOptions {
  /**
   * The script `dist/pyright.worker.js` of the package browser-basedpyright: its address, of the page's own origin, or a
   * function that makes a classic worker of it (called twice: one analyses). It must be served as it is.
   */
  readonly worker: string | URL | (() => Worker);
  /** Milliseconds that the start may take, with the download of the script (17 MB). Default: 60,000. */
  readonly startTimeout?: number;
  /** Milliseconds that one check may take; then the worker is ended, and the next check starts another. Default: 10,000. */
  readonly timeout?: number;
}

const checkOptions = optionCheck<PyrightTypeCheckerOptions>("pyrightTypeChecker", {
  worker: "string|object|function",
  startTimeout: "number?",
  timeout: "number?",
});

/** A type checker that lives in workers of its own. */
export interface PyrightTypeChecker extends TypeChecker {
  /** Starts the workers now; else the first check does. Tries again where a start failed, which checks do after five minutes. */
  start(): Promise<void>;
  /** Ends the workers. What is being checked fails with {@link TypeCheckerClosedError}. */
  close(): void;
}

/**
 * basedpyright as the type checker of `session.check`: `session.check(code, { types: pyrightTypeChecker({ worker }) })`.
 * The package browser-basedpyright is the page's own to install and to serve. Nothing is loaded before the first check or
 * `start`. It may serve many sessions; checks take turns. Code is text for it: nothing is run, and nothing of the session
 * can be reached from it.
 */
export function pyrightTypeChecker(options: PyrightTypeCheckerOptions): PyrightTypeChecker {
  checkOptions(options);
  const { worker, startTimeout = 60_000, timeout = 10_000 } = options;
  const spawn = typeof worker === "function" ? worker : () => new Worker(worker);
  const closing = new AbortController();
  let loading: Promise<PyrightChecker> | undefined;
  const checker = async (): Promise<PyrightChecker> => {
    closing.signal.throwIfAborted();
    loading ??= import("./pyright/index.js").then(
      (module) => new module.PyrightChecker({ spawn, startTimeout, timeout }),
    );
    const current = loading;
    const loaded = await current.catch((error: unknown) => {
      // The next check tries to load it again.
      if (loading === current) loading = undefined;
      throw error;
    });
    closing.signal.throwIfAborted();
    return loaded;
  };
  return {
    start: async () => (await checker()).start(),
    check: async (request: TypeCheckRequest): Promise<readonly Finding[]> => (await checker()).check(request),
    close: () => {
      const reason = new TypeCheckerClosedError();
      closing.abort(reason);
      loading?.then(
        (loaded) => loaded.close(reason),
        // Who waits for the script hears of its failure.
        () => undefined,
      );
    },
  };
}
