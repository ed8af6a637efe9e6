import { z } from "zod";

import { unlessAborted } from "../../../protocol/index.js";

// public/login.js, which is the other end, has both names, too.
const CHANNEL = "vitrine-login";
const lockOf = (state: string): string => `vitrine-login:${state}`;

const Sent = z.object({
  answer: z.string().max(100_000),
  /** Whether a tab waited for it as it came: by its lock, which is gone once that tab has heard it. */
  isAwaited: z.boolean(),
});

/**
 * Waits for what a login page sent the user back with, which the page they came back to hands over. Every tab of the page
 * hears every answer: each takes its own, and one that no tab waits for, so that the user is not left waiting where a login
 * page answers with another `state`. Who gets the address looks at that.
 *
 * @param page - the page that users are sent back to.
 * @returns its address with the answer.
 */
export async function loginAnswer(page: string, state: string, signal: AbortSignal): Promise<URL> {
  const { promise, resolve } = Promise.withResolvers<URL>();
  const over = new AbortController();
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const sent = Sent.safeParse(data);
    if (!sent.success) return;
    const back = new URL(page);
    back.search = sent.data.answer;
    if (back.searchParams.get("state") === state || !sent.data.isAwaited) resolve(back);
  };
  void navigator.locks.request(lockOf(state), () => unlessAborted(promise, over.signal).catch(() => undefined));
  try {
    return await unlessAborted(promise, signal);
  } finally {
    over.abort();
    channel.close();
  }
}
