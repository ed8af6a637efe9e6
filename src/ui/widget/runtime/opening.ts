import { CellSession, type OpeningSettings } from "./cell-session.js";
import type { ToolSources } from "./cell-tools.js";
import { CellStoppedError } from "./errors.js";
import { PhaseChannel } from "./phase-channel.js";

/** A session that is being opened, for those who wait for it and those who do not. */
export class Opening {
  readonly phases = new PhaseChannel();
  readonly cell: Promise<CellSession>;
  readonly #end = new AbortController();
  #ready: CellSession | undefined;

  /**
   * @param settings - of all cells that use it.
   * @param after - what has to be over before. It does not reject.
   */
  constructor(settings: OpeningSettings, tools: ToolSources, after: Promise<void> = Promise.resolve()) {
    this.cell = after.then(() => CellSession.open(settings, { tools, phases: this.phases, signal: this.#end.signal }));
    this.cell.then(
      (cell) => {
        this.#ready = cell;
      },
      () => undefined,
    );
  }

  /** Undefined until it is open. */
  get ready(): CellSession | undefined {
    return this.#ready;
  }

  /** Closes the session as soon as it is open. */
  async close(): Promise<void> {
    this.#end.abort(new CellStoppedError());
    const cell = await this.cell.catch(() => undefined);
    await cell?.close();
  }
}
