import type { SignalType } from "./messages.js";

/** A signal as its function gives it back to the code: `[COMMIT] take four`. */
export function signalText({ type, message }: { readonly type: SignalType; readonly message: string }): string {
  return `[${type.toUpperCase()}] ${message}`;
}
