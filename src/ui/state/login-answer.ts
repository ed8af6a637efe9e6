import { unlessAborted } from "../../protocol/index.js";

// public/login.js, which is the other end, has both names, too.
const CHANNEL = "vitrine-login";
const lockOf = (state: string): string => `vitrine-login:${state}`;

/** Characters of an answer that are looked at. */
const LONGEST = 100_000;

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
    if (typeof data !== "string" || data.length > LONGEST) return;
    const back = new URL(page);
    back.search = data;
    const answered = back.searchParams.get("state") ?? "";
    if (answered === state) resolve(back);
    else {
      void isAwaited(answered).then((isOfOther) => {
        if (!isOfOther) resolve(back);
      });
    }
  };
  void navigator.locks.request(lockOf(state), () => unlessAborted(promise, over.signal).catch(() => undefined));
  try {
    return await unlessAborted(promise, signal);
  } finally {
    over.abort();
    channel.close();
  }
}

async function isAwaited(state: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === lockOf(state));
}
