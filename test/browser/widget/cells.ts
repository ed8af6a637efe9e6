import { inject, vi } from "vitest";

import type { CellFile, CellPhase, CellRunRequest, CellSettings } from "../../../src/ui/widget/cell-runtime.js";
import { RUN } from "../../timeouts.mjs";

/** What holds at every level is tried where an interpreter starts soonest. */
export function settings(own: Partial<CellSettings> = {}): CellSettings {
  return {
    session: null,
    trust: "local",
    setup: "",
    deps: [],
    packages: [],
    files: [],
    tools: [],
    timeout: RUN,
    ...own,
  };
}

export function request(
  code: string,
  {
    settings: own = {},
    ...rest
  }: Partial<Omit<CellRunRequest, "settings">> & { settings?: Partial<CellSettings> } = {},
): CellRunRequest {
  return {
    settings: settings(own),
    code,
    before: [],
    checks: [],
    name: "cell 1",
    signal: new AbortController().signal,
    onPhase: () => undefined,
    onOutput: () => undefined,
    onInput: () => Promise.resolve(""),
    ...rest,
  };
}

/** The kinds of the phases that a run went through, each once in a row. */
export function phaseLog(): { readonly kinds: string[]; readonly onPhase: (phase: CellPhase) => void } {
  const kinds: string[] = [];
  return {
    kinds,
    onPhase: ({ kind }) => {
      if (kinds.at(-1) !== kind) kinds.push(kind);
    },
  };
}

/** Has a server of another origin, which lets every page read it, serve a file. */
export async function served(path: string, content: string | Uint8Array<ArrayBuffer>): Promise<CellFile> {
  const url = addressOf(path);
  await fetch(url, { method: "PUT", body: content });
  return { url, path };
}

export function addressOf(path: string): string {
  return `${inject("embeddingServer")}/files/widget/${path}`;
}

/** An address that never answers. */
export function hanging(): {
  readonly url: string;
  readonly asked: Promise<unknown>;
  readonly fail: () => void;
  readonly end: () => void;
} {
  const url = addressOf("hanging.yaml");
  const asked = Promise.withResolvers<undefined>();
  const answer = Promise.withResolvers<Response>();
  const real = fetch;
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    if (input !== url) return real(input, init);
    asked.resolve(undefined);
    init?.signal?.addEventListener("abort", () => {
      answer.reject(new DOMException("The fetch was given up.", "AbortError"));
    });
    return answer.promise;
  });
  return {
    url,
    asked: asked.promise,
    fail: () => {
      answer.reject(new TypeError("Failed to fetch"));
    },
    end: () => {
      spy.mockRestore();
    },
  };
}
