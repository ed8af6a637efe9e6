import { z } from "zod";

import type { ToolHints } from "../definition.js";

/** `hints:` of a tool file, for the whole tool or one recipe. */
export const HintsField = z
  .strictObject({
    readOnly: z.boolean().optional(),
    read_only: z.boolean().optional(),
    destructive: z.boolean().optional(),
    idempotent: z.boolean().optional(),
  })
  .nullish();

export function readHints(hints: z.infer<typeof HintsField>): ToolHints {
  const readOnly = hints?.readOnly ?? hints?.read_only;
  return {
    ...(readOnly === undefined ? {} : { readOnly }),
    ...(hints?.destructive === undefined ? {} : { destructive: hints.destructive }),
    ...(hints?.idempotent === undefined ? {} : { idempotent: hints.idempotent }),
  };
}
