import { z } from "zod";

/** Code that is run at once. */
export interface Piece {
  readonly code: string;
  /** What tracebacks call it. */
  readonly name: string;
}

/** What the page is asked to run. */
export interface Order {
  readonly pieces: readonly Piece[];
  readonly trust: "sandboxed" | "isolated" | "local";
  readonly timeout: number | null;
}

/** What the page tells while it carries an order out. */
export const Message = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("stdout"), text: z.string() }),
  z.strictObject({ kind: z.literal("stderr"), text: z.string() }),
  /** For the person at the shell: a call that was allowed, a problem with a tool file. */
  z.strictObject({ kind: z.literal("note"), text: z.string() }),
  /** `repr()` of a piece's last expression. */
  z.strictObject({ kind: z.literal("value"), text: z.string() }),
  /** Nothing follows. `failure`: a traceback; null where all went well. */
  z.strictObject({ kind: z.literal("end"), failure: z.string().nullable() }),
]);
export type Message = z.infer<typeof Message>;
