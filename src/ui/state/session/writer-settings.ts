import { z } from "zod";

import { openaiModel, type Model } from "../../../model/index.js";
import { VitrineError } from "../../../protocol/index.js";
import type { WriteCodeEvent, WriteCodeOptions } from "../../../write-code/index.js";

/** Which models of the server write files together. */
export const WriterSettings = z.object({
  isOn: z.boolean().catch(false),
  /** Their names, one in each line. */
  models: z.string().catch(""),
  /** Chooses between their texts. Empty: the first that has one is taken. */
  arbiter: z.string().catch(""),
  /** Is asked where none of them came to anything. Empty for none. */
  fallback: z.string().catch(""),
});
export type WriterSettings = z.infer<typeof WriterSettings>;

export const DEFAULT_WRITERS: WriterSettings = { isOn: false, models: "", arbiter: "", fallback: "" };

/** Writers that are beyond what a visitor means to pay for are most likely a list that was pasted. */
const MOST_WRITERS = 8;

/** Files are to be written by several models, and none is named, or too many are. */
export class WritersError extends VitrineError {
  override readonly name = "WritersError";
  readonly code = "WRITERS";
  readonly field = "writers";
}

/** What a person wrote, without what is empty and without repetitions. @throws {WritersError} */
export function readWriters({ isOn, models, arbiter, fallback }: WriterSettings): WriterSettings {
  const names = namesIn(models);
  if (isOn && names.length === 0 && fallback.trim() === "") {
    throw new WritersError("Name at least one model that writes files, one in each line.");
  }
  if (isOn && names.length > MOST_WRITERS) {
    throw new WritersError(
      `${String(names.length)} models are named as writers of files, and each writes every file. Name ${String(MOST_WRITERS)} at most.`,
    );
  }
  return { isOn, models: names.join("\n"), arbiter: arbiter.trim(), fallback: fallback.trim() };
}

function namesIn(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ""))];
}

/** The server that the writers are asked at. */
export interface WritersServer {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly writers: WriterSettings;
}

/** With what the tool that has files written is made; undefined where the settings do not want it. */
export function writeCodeOptions(
  { baseURL, apiKey, writers }: WritersServer,
  onEvent: (event: WriteCodeEvent) => void,
): WriteCodeOptions | undefined {
  const { isOn, models, arbiter, fallback } = writers;
  if (!isOn) return undefined;
  const model = (name: string): Model => openaiModel({ baseURL, apiKey, model: name });
  return {
    models: namesIn(models).map(model),
    ...(arbiter === "" ? {} : { arbiter: model(arbiter) }),
    ...(fallback === "" ? {} : { fallback: model(fallback) }),
    onEvent,
  };
}
