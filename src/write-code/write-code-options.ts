import type { Model } from "../model/index.js";
import type { OptionKinds } from "../options/index.js";
import type { TokenPrices } from "../tools/index.js";
import type { ImageModel } from "./images/image-model.js";
import type { WriteCodeEvent } from "./events.js";
import type { FileTelemetry } from "./outcome/telemetry.js";

/** Who writes the files of a batch, and within which bounds. */
export interface WriteCodeOptions {
  /** Each file is written by all of them at once. May be empty where there is a `fallback`. */
  readonly models: readonly Model[];
  /** Chooses where several models came to different texts. Default: the first of `models` that has one is taken. */
  readonly arbiter?: Model;
  /** Asked, up to three times, where none of `models` came to anything. Default: such a file fails. */
  readonly fallback?: Model;
  /** Makes the image files. Default: they fail with that reason. */
  readonly images?: ImageModel;
  /** What the models cost, by name, where that is another price than the calling agent's own model has. */
  readonly prices?: Readonly<Record<string, TokenPrices>>;
  /** What all files are for, as the models read it. Default: the document `task.txt` of the workspace, if there is one. */
  readonly task?: string;
  /** The folder of `/workspace` that names of files are relative to. Default: `/workspace` itself. */
  readonly root?: string;
  /** Milliseconds that one reply of a model may take. Default 120,000. */
  readonly replyTimeout?: number;
  /** Milliseconds that a call may take, the models' time included. Default 1,800,000. */
  readonly callTimeout?: number;
  /** Tokens of one reply at most. Default 16,000. */
  readonly maxTokens?: number;
  /** Tokens of one prompt at most, by estimate: what does not fit is left out and named. Default 24,000. */
  readonly promptTokens?: number;
  /** How many requests to models are open at once. Default 6. */
  readonly concurrentRequests?: number;
  /** Whether Python that fails its check a second time is written all the same, marked. Default: false. */
  readonly writesFaulty?: boolean;
  /** Hears every event of every batch. */
  readonly onEvent?: (event: WriteCodeEvent) => void;
  /** Hears, once for each file, which models were tried and what became of it. */
  readonly onTelemetry?: (telemetry: FileTelemetry) => void;
  /** Shows a person lines of a console about what is done. What it throws becomes a warning. */
  readonly display?: { addMessage(role: "assistant", text: string): void | Promise<void> };
}

export const WRITE_CODE_OPTIONS: OptionKinds<WriteCodeOptions> = {
  models: "array",
  arbiter: "object?",
  fallback: "object?",
  images: "object?",
  prices: "any?",
  task: "string?",
  root: "string?",
  replyTimeout: "number?",
  callTimeout: "number?",
  maxTokens: "number?",
  promptTokens: "number?",
  concurrentRequests: "number?",
  writesFaulty: "boolean?",
  onEvent: "function?",
  onTelemetry: "function?",
  display: "object?",
};
