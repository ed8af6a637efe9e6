import { messageOf } from "../../protocol/index.js";

/**
 * Why something could not be drawn, to end a sentence. A script that is loaded for it may not come: each engine has words of
 * its own for that, in all of which it is a module.
 */
export function whyNotDrawn(error: unknown): string {
  const message = messageOf(error);
  return error instanceof TypeError && /\bmodule\b/.test(message) ? "a script of this page did not load" : message;
}
