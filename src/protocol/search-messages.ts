import { z } from "zod";

/** A file in which may be searched. Its version is another one for each content. */
export interface SearchableFile {
  readonly path: string;
  readonly version: string;
  /** Bytes. */
  readonly size: number;
}

/** A search for the worker. */
export interface SearchOrder {
  readonly kind: "search";
  readonly id: number;
  /** In the syntax of ripgrep. */
  readonly pattern: string;
  /** A glob, as ripgrep's `--glob`. */
  readonly include: string | null;
  /** A folder, or the path of one file; empty for all. */
  readonly below: string;
  /** How many files are wanted. */
  readonly limit: number;
  /** In the order in which they are wanted. */
  readonly files: readonly SearchableFile[];
}

/** What the worker wanted; null for a file that is gone. */
export interface SearchContents {
  readonly kind: "contents";
  readonly contents: readonly (Uint8Array<ArrayBuffer> | null)[];
}

const Paths = z.array(z.string().max(1024)).max(10_000);

/** What the worker says. It reads what session code wrote, so the page parses it. */
export const SearchReport = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ready") }),
  z.strictObject({ kind: z.literal("want"), paths: Paths }),
  z.strictObject({ kind: z.literal("found"), id: z.int().positive(), paths: Paths }),
  z.strictObject({ kind: z.literal("refused"), id: z.int().positive(), reason: z.string().max(10_000) }),
]);
export type SearchReport = z.infer<typeof SearchReport>;
