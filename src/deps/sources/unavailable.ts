/** Why a package cannot be had, for programs. */
export type WhyUnavailable =
  /** None of the sources has it. */
  | "not_found"
  /** What there is runs elsewhere, or has to be compiled first. */
  | "no_wheel"
  /** No version is good for all who want it. */
  | "conflict"
  /** A file is not the one that its source, or a lock, names. */
  | "hash"
  /** A file cannot be read as what its name says. */
  | "damaged"
  /** The session does not allow the host. */
  | "host"
  /** A server cannot be reached, and nothing that it once sent is kept. */
  | "unreachable"
  /** A source answered with an error, or with something else than it should. */
  | "source"
  /** It came, and the interpreter could not install it. */
  | "not_installed"
  /** The specification cannot be read. */
  | "specification";

/** Whether a package can be had is known only once a source was asked that would hear its name. */
export class NotAskedYet extends Error {
  override readonly name = "NotAskedYet";

  /** @param address - of the source. */
  constructor(readonly address: string) {
    super(`${address} was not asked yet.`);
  }
}

/** Why a source cannot give something. What was asked for is added where it is known. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";

  constructor(
    readonly why: WhyUnavailable,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}
