import { z } from "zod";

import {
  SkillParameter,
  SkillSyntaxError,
  SkillValidationError,
  type SkillInspection,
  type SkillInspector,
} from "../skills/index.js";

const Reply = z.union([
  z.object({ ok: z.object({ description: z.string(), parameters: z.array(SkillParameter) }) }),
  z.object({ error: z.object({ name: z.string(), message: z.string(), line: z.int().nullish() }) }),
]);

/** Skills are read by Python's own parser, in the session's interpreter. */
export function skillInspector(ask: (name: string, source: string) => Promise<string>): SkillInspector {
  return async (name, source): Promise<SkillInspection> => {
    const reply = Reply.parse(JSON.parse(await ask(name, source)));
    if ("ok" in reply) return reply.ok;
    const { name: kind, message, line } = reply.error;
    const at = line ?? undefined;
    if (kind !== "SkillSyntaxError") throw new SkillValidationError(name, message, at);
    throw new SkillSyntaxError(name, message.replace(/^Syntax error in skill code: /, ""), at);
  };
}
