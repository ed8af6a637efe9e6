import { z } from "zod";

import { functionTool, memoryStorage, Session, type RunResult } from "../../../src/index.js";
import { RUN } from "../../timeouts.mjs";

/** A result as it crosses to the test. */
export interface RunSummary {
  readonly value: string | null;
  readonly error: string | null;
  readonly stdout: string;
  readonly notices: readonly string[];
}

/** What a test does in the page. */
export interface FaultPage {
  open(): Promise<void>;
  /** Runs code to its end. */
  run(code: string, timeout?: number): Promise<RunSummary>;
  /** Begins a run. Resolves when it has printed something. */
  begin(code: string, timeout?: number | null): Promise<void>;
  /** Waits for the end of the run that was begun. */
  outcome(): Promise<RunSummary>;
  /** Resolves when the run that was begun prints more, or is over. */
  goesOn(): Promise<void>;
  interrupt(): void;
  /** Answers a call of `tools.ask`, when it has come. */
  answer(text: string): Promise<void>;
  /** Whether the page came out of the back/forward cache, as it was. */
  restored: boolean;
}

declare global {
  interface Window {
    faultPage?: FaultPage;
  }
}

let session: Session | undefined;
let pending: Promise<RunResult> | undefined;
let hearOutput = (): void => undefined;
const nextOutput = (): Promise<void> =>
  new Promise((resolve) => {
    hearOutput = resolve;
  });
const asked = Promise.withResolvers<undefined>();
const answered = Promise.withResolvers<string>();

const tools = [
  functionTool({
    name: "echo",
    description: "The text again.",
    input: z.object({ text: z.string() }),
    run: ({ text }) => text,
  }),
  functionTool({
    name: "ask",
    description: "Waits for an answer.",
    input: z.object({}),
    run: () => {
      asked.resolve(undefined);
      return answered.promise;
    },
  }),
];

const page: FaultPage = {
  open: async () => {
    session = await Session.open({ storage: memoryStorage(), tools, spare: "none" });
  },
  run: async (code, timeout = RUN) => summary(await live().run(code, { timeout })),
  begin: (code, timeout = RUN) => {
    const begun = nextOutput();
    pending = live().run(code, {
      timeout,
      onOutput: () => {
        hearOutput();
      },
    });
    return begun;
  },
  outcome: async () => {
    if (pending === undefined) throw new Error("No run was begun.");
    return summary(await pending);
  },
  goesOn: async () => {
    await Promise.race([nextOutput(), pending]);
  },
  interrupt: () => {
    live().interrupt();
  },
  answer: async (text) => {
    await asked.promise;
    answered.resolve(text);
  },
  restored: false,
};

function live(): Session {
  if (session === undefined) throw new Error("No session is open.");
  return session;
}

function summary({ valueRepr, error, stdout, notices }: RunResult): RunSummary {
  return { value: valueRepr, error: error?.code ?? null, stdout, notices };
}

window.addEventListener("pageshow", ({ persisted }) => {
  page.restored = persisted;
});
window.faultPage = page;
