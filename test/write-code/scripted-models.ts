import type { FinishReason, Model, ModelRequest, ModelUsage } from "../../src/model/index.js";
import type { WriteCodeEventBody } from "../../src/write-code/events.js";
import type { GenerationWork } from "../../src/write-code/generation/generation-work.js";
import type { WriteCodeOptions } from "../../src/write-code/write-code-options.js";

/** Says a little, and nothing more. */
export const HANGS = Symbol("hangs");

/** What a model does when it is asked: it says something, fails, or never ends. */
export type Manner =
  | string
  | Error
  | typeof HANGS
  | { readonly pieces: readonly string[]; readonly finishReason?: FinishReason; readonly usage?: ModelUsage | null };

export interface ScriptedModel extends Model {
  /** What it was asked, in order. */
  readonly asked: readonly ModelRequest[];
}

/** A model that does one thing after the other; the last again and again. */
export function scriptedModel(name: string, ...manners: readonly Manner[]): ScriptedModel {
  const asked: ModelRequest[] = [];
  return {
    name,
    kind: "scripted",
    asked,
    async *complete(request) {
      const manner = manners[asked.length] ?? manners.at(-1) ?? "";
      asked.push(request);
      await Promise.resolve();
      if (manner === HANGS) {
        yield { type: "text", text: "Let me " };
        await new Promise(() => undefined);
        return;
      }
      if (manner instanceof Error) throw manner;
      const {
        pieces,
        finishReason = "stop",
        usage = { inputTokens: 11, outputTokens: 7 },
      } = typeof manner === "string" ? { pieces: [manner] } : manner;
      for (const text of pieces) yield { type: "text", text };
      yield { type: "done", finishReason, usage };
    },
  };
}

export interface ScriptedWork extends GenerationWork {
  readonly events: WriteCodeEventBody[];
  /** Requests that were open at once, at most. */
  readonly mostOpen: () => number;
}

/** Work of which the events are kept. */
export function scriptedWork(
  options: Partial<WriteCodeOptions>,
  more: Partial<GenerationWork> & { readonly permits?: number } = {},
): ScriptedWork {
  const events: WriteCodeEventBody[] = [];
  const { permits = 6, ...rest } = more;
  const waiting: (() => void)[] = [];
  let open = 0;
  let most = 0;
  return {
    options: { models: [], ...options },
    signal: new AbortController().signal,
    task: undefined,
    report: (body) => {
      events.push(body);
    },
    strike: (text) => text,
    permit: async () => {
      while (open >= permits) await new Promise<void>((go) => waiting.push(go));
      open += 1;
      most = Math.max(most, open);
      return () => {
        open -= 1;
        waiting.shift()?.();
      };
    },
    events,
    mostOpen: () => most,
    ...rest,
  };
}
