import type { ModelMessage } from "../../model/index.js";
import type { GenerationTelemetry } from "../outcome/telemetry.js";
import type { WriteCodeFault } from "../outcome/faults.js";

/** A text that a model wrote for a file, taken out of its reply and not yet looked at. */
export interface GeneratedText {
  readonly kind: "text";
  readonly text: string;
  /** Lower case: as the fence says, else as the name of the file ends, else `unknown`. */
  readonly language: string;
  /** Who wrote it. */
  readonly model: string;
  /** What the model was asked, and said: to ask it once more. */
  readonly messages: readonly ModelMessage[];
  readonly reply: string;
  readonly warnings: readonly string[];
  readonly telemetry: GenerationTelemetry;
}

/** That there is none. */
export interface FailedGeneration {
  readonly kind: "failed";
  readonly fault: WriteCodeFault;
  readonly warnings: readonly string[];
  readonly telemetry: GenerationTelemetry;
}

export type Generated = GeneratedText | FailedGeneration;
