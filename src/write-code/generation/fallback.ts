import type { Model, ModelMessage } from "../../model/index.js";
import { unlessAborted } from "../../protocol/index.js";
import { askForText, type AskedText, type Failure } from "./ask-for-text.js";
import type { GenerationWork } from "./generation-work.js";

/** Requests to the fallback at most. */
const MOST_ATTEMPTS = 3;
/** Milliseconds. The wait is a second, doubled with each failure, between these bounds. */
const SHORTEST_WAIT = 4000;
const LONGEST_WAIT = 60_000;

/** Milliseconds until a model is asked again that has failed so many times in a row. */
export function waitBefore({ retryAfter }: Failure, failures: number): number {
  if (retryAfter !== null) return Math.min(retryAfter, LONGEST_WAIT);
  return Math.min(Math.max(1000 * 2 ** (failures - 1), SHORTEST_WAIT), LONGEST_WAIT);
}

/**
 * Asks the fallback until it has a text, as often as it may be asked and as long as that may help. Never rejects.
 *
 * @param request.candidate - the number of its first request; later ones count on.
 * @returns its requests in their order. The last is the one that counts.
 */
export async function askFallback(
  request: {
    readonly path: string;
    readonly candidate: number;
    readonly model: Model;
    readonly messages: readonly ModelMessage[];
  },
  work: GenerationWork,
): Promise<readonly AskedText[]> {
  const { path } = request;
  const asked: AskedText[] = [];
  for (let attempt = 1; ; attempt++) {
    const candidate = request.candidate + attempt - 1;
    const next = await askForText({ ...request, candidate, role: "fallback", attempt }, work);
    asked.push(next);
    if (next.kind === "text" || !next.failure.mayPass || attempt >= MOST_ATTEMPTS) return asked;
    const { code, message } = next.failure;
    const delay = waitBefore(next.failure, attempt);
    work.report({ type: "candidate-retry", path, candidate, failures: attempt, delay, code, message });
    if (!(await wait(delay, work.signal))) return asked;
  }
}

/** @returns false where it was ended early. */
async function wait(delay: number, signal: AbortSignal): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await unlessAborted(new Promise<void>((resolve) => (timer = setTimeout(resolve, delay))), signal);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
