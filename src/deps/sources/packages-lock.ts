import { z } from "zod";

/** The files of a session's packages, so that another one gets the same: `session.deps.lock()`. */
export const PackagesLock = z.object({
  version: z.literal(1),
  /** What the files are for. */
  platform: z.string(),
  packages: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      file: z.string(),
      /** Hexadecimal. */
      sha256: z.string(),
      /** Bytes of the file. */
      size: z.number(),
    }),
  ),
});
export type PackagesLock = z.output<typeof PackagesLock>;
