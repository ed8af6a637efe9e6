import { CLOSING } from "../../timeouts.mjs";

/** Waits for the end of something, however it ends, but not for ever. */
export async function beforeLong(closing: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSING);
  });
  await Promise.race([closing.catch(() => undefined), late]);
  clearTimeout(timer);
}
