import { z } from "zod";

import { textUpTo } from "../../protocol/index.js";
import {
  SkillParameter,
  SkillSyntaxError,
  SkillValidationError,
  type SkillInspection,
  type SkillInspector,
} from "../../skills/index.js";

const MOST_PARAMETERS = 100;
/** Characters of an answer: defaults stand in it, which are a part of the source. */
const LONGEST_REPLY = 4_000_000;

const Reply = z.union([
  z.object({
    ok: z.object({ description: textUpTo(1000), parameters: z.array(SkillParameter).max(MOST_PARAMETERS) }),
  }),
  z.object({ error: z.object({ name: z.string(), message: textUpTo(2000), line: z.int().nullish() }) }),
]);

/**
 * Skills are read by Python's own parser, in the session's interpreter.
 *
 * @param isTouched - whether code that nobody answers for has run there, and may have changed what answers.
 */
export function skillInspector(
  ask: (name: string, source: string) => Promise<string>,
  isTouched: () => boolean,
): SkillInspector {
  return async (name, source): Promise<SkillInspection> => {
    const reply = readReply(await ask(name, source));
    if (reply === undefined) {
      const reason = `The interpreter cannot describe it. A skill has ${String(MOST_PARAMETERS)} parameters at most; if this one has fewer, reset the session`;
      throw new SkillValidationError(name, reason);
    }
    if ("ok" in reply) return { ...reply.ok, isDoubtful: isTouched() };
    const { name: kind, message, line } = reply.error;
    const at = line ?? undefined;
    if (kind !== "SkillSyntaxError") throw new SkillValidationError(name, message, at);
    throw new SkillSyntaxError(name, message.replace(/^Syntax error in skill code: /, ""), at);
  };
}

/** Undefined when it is none: the interpreter is where foreign code runs. */
function readReply(text: string): z.infer<typeof Reply> | undefined {
  if (text.length > LONGEST_REPLY) return undefined;
  try {
    return Reply.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
