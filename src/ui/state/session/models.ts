import { openaiModel, recordedModel, type Model, type Transcript } from "../../../model/index.js";
import type { WriteCodeEvent, WriteCodeOptions } from "../../../write-code/index.js";
import type { ShippedTask } from "../../tasks/index.js";
import { requireKey, type Settings } from "./settings.js";
import { writeCodeOptions } from "./writer-settings.js";

/** Who answers: the model that the user has set up, or the recordings, which only repeat. */
export class Models {
  readonly settings: Settings;
  readonly #shipped: readonly ShippedTask[];
  /** What models of the user's own said in this visit, to be replayed instead of what came with the page. */
  readonly #recordings: Transcript[] = [];

  constructor(settings: Settings, shipped: readonly ShippedTask[]) {
    this.settings = settings;
    this.#shipped = shipped;
  }

  /** The one that is chosen in the settings. */
  chosen(): Model {
    return this.isOwn ? this.#server() : this.#recorded();
  }

  /**
   * The one that the user has set up; null where none is.
   *
   * @throws {MissingKeyError} when it has no key, and needs one.
   */
  own(): Model | null {
    if (!this.isOwn) return null;
    requireKey(this.settings.current);
    return this.#server();
  }

  /** Whether a model of the user's own is chosen. The recorded one has replies to what was recorded, and to nothing else. */
  get isOwn(): boolean {
    return this.settings.current.kind === "openai";
  }

  /** Whether the model that is chosen has an answer to `task`, as far as can be known beforehand. */
  knows(task: string): boolean {
    return this.isOwn || this.#recorded().transcriptFor(task) !== undefined;
  }

  /** Who answers `task`: the model that is asked, or whose words are repeated. */
  labelFor(task: string): string {
    if (this.isOwn) return this.settings.current.model;
    const by = this.#recorded().transcriptFor(task)?.by;
    if (by === undefined) return "recorded model";
    return by === "hand" ? "recorded model, scripted" : `recording of ${by}`;
  }

  /** Replays these from now on. */
  replay(recordings: readonly Transcript[]): void {
    this.#recordings.push(...recordings);
  }

  /** Who writes files together: those of the settings, or those that were recorded. Undefined where several are not to. */
  async writers(onEvent: (event: WriteCodeEvent) => void): Promise<WriteCodeOptions | undefined> {
    if (this.isOwn) return writeCodeOptions(this.settings.current, onEvent);
    const [{ recordedWriters }, all] = await Promise.all([
      import("./recorded-writers.js"),
      Promise.all(this.#shipped.map(({ writers }) => writers())),
    ]);
    const recorded = recordedWriters({
      plain: all.flatMap(({ plain }) => plain),
      thorough: all.flatMap(({ thorough }) => thorough),
      arbiter: all.flatMap(({ arbiter }) => arbiter),
    });
    return { ...recorded, onEvent };
  }

  #server(): Model {
    const { baseURL, apiKey, model, sees } = this.settings.current;
    return openaiModel({ baseURL, apiKey, model, sees });
  }

  #recorded(): ReturnType<typeof recordedModel> {
    const shipped = this.#shipped.flatMap(({ transcript, below }) => [
      transcript,
      ...below.map((part) => part.transcript),
    ]);
    return recordedModel({ transcripts: [...shipped, ...this.#recordings] });
  }
}
