import type { z } from "zod";

/** How one kind of log is kept as records of JSON. */
export interface LogForm<Entry> {
  /** What its keys are called after. */
  readonly name: string;
  /** Of a record: its entries, the oldest first. */
  readonly schema: z.ZodType<readonly Entry[]>;
  /** An entry as a record holds it. */
  readonly textOf: (entry: Entry) => string;
  /** A record of such texts. */
  readonly recordOf: (entries: readonly string[]) => string;
  /** The log that entries of any age come to, the oldest first: within its bounds. */
  readonly settled: (entries: readonly Entry[]) => readonly Entry[];
}
