import type { CallingTask } from "../../tools/index.js";
import type { ReportWriteCode } from "../events.js";
import type { WriteCodeOptions } from "../write-code-options.js";

/** What all requests of a batch to models have in common. */
export interface GenerationWork {
  readonly options: WriteCodeOptions;
  /** Ends every request. */
  readonly signal: AbortSignal;
  /** The agent's, whose budget counts what is asked; undefined where no agent works. */
  readonly task: CallingTask | undefined;
  readonly report: ReportWriteCode;
  /** Strikes secrets from what a model reads. */
  readonly strike: (text: string) => string;
  /** Waits until another request to a model may be open. @returns how to say that it has ended. */
  readonly permit: (signal: AbortSignal) => Promise<() => void>;
}
