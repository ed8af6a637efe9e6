import { messageOf, VitrineError, type Value } from "../protocol/index.js";

/** The embedding page's Content Security Policy refuses what Vitrine needs. Nothing was started. */
export class CspBlockedError extends VitrineError {
  override readonly name = "CspBlockedError";
  readonly code = "CSP_BLOCKED";

  /** @param directives - what the policy has to allow, `worker-src blob:` for instance. */
  constructor(readonly directives: readonly string[]) {
    // No policy that is added to one with Trusted Types takes them back.
    const isMendedByAdding = !directives.some((directive) => directive.includes("trusted-types"));
    super(
      `The Content Security Policy of this page blocks Vitrine. It must allow: ${directives.join("; ")}.` +
        (isMendedByAdding ? " `npx vitrine csp` prints a policy that fits." : ""),
    );
  }

  override details(): Record<string, Value> {
    return { directives: this.directives };
  }
}

/** The worker did not start. */
export class WorkerStartError extends VitrineError {
  override readonly name = "WorkerStartError";
  readonly code = "WORKER_START";

  constructor(reason: string, options?: ErrorOptions) {
    super(`The worker that runs Python did not start: ${reason}`, options);
  }
}

/** A file that Python needs did not load. */
export class AssetLoadError extends VitrineError {
  override readonly name = "AssetLoadError";
  readonly code = "ASSET_LOAD";

  constructor(
    readonly url: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(
      `Could not load ${url}: ${reason}. Check that the file is served beside Vitrine's script` +
        " and, from another origin, with an Access-Control-Allow-Origin header.",
      options,
    );
  }
}

/** The worker ended in the middle of something. Its variables are gone; what was stored stays. */
export class WorkerLostError extends VitrineError {
  override readonly name = "WorkerLostError";
  readonly code = "WORKER_LOST";

  constructor(reason: string) {
    super(`The interpreter ended unexpectedly: ${reason}. Its variables are gone; what was stored stays.`);
  }
}

/** The worker's errors arrive as plain text; a policy that refused something says so at its beginning. */
export function startError(error: unknown): Error {
  if (error instanceof VitrineError) return error;
  const message = messageOf(error);
  const [, directive, blocked] = /CSP_BLOCKED (\S+) (\S*)/.exec(message) ?? [];
  // The violation names a blob by its bare scheme, which a policy writes with a colon.
  const source = blocked === "blob" || blocked === "data" ? `${blocked}:` : (blocked ?? "");
  if (directive !== undefined) return new CspBlockedError([`${directive} ${source}`.trim()]);
  return new WorkerStartError(message, { cause: error });
}
