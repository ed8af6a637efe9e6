import type { TextInterpreter } from "../../write-code/index.js";
import { SessionClosedError } from "../errors.js";
import type { SessionTextInterpreter, TextInterpreterParts } from "./text-interpreter.js";

/** What looks at texts for a session, loaded when somebody asks for it, and closed with the session. */
export class TextInterpreterOnDemand {
  readonly #parts: TextInterpreterParts;
  #made: Promise<SessionTextInterpreter> | undefined;
  #isClosed = false;

  constructor(parts: TextInterpreterParts) {
    this.#parts = parts;
  }

  /** Has its interpreter start, without waiting for that. @throws {SessionClosedError} */
  async open(): Promise<TextInterpreter> {
    this.#made ??= import("./text-interpreter.js").then(({ SessionTextInterpreter: Made }) => new Made(this.#parts));
    // A script that could not be loaded may be there the next time.
    this.#made.catch(() => (this.#made = undefined));
    const made = await this.#made;
    if (this.#isClosed) {
      made.close();
      throw new SessionClosedError();
    }
    return made.open();
  }

  close(): void {
    this.#isClosed = true;
    this.#made?.then(
      (made) => {
        made.close();
      },
      // One that could not be loaded has nothing to close.
      () => undefined,
    );
  }
}
