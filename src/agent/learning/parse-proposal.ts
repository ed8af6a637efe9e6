import { z } from "zod";

import { messageOf, shorten } from "../../protocol/index.js";
import type { ModelReply } from "../work/agent-kind.js";
import { extractCode } from "../conversation/extract-code.js";
import { fencedJson } from "../conversation/fenced-json.js";
import type { SkillProposal } from "../events/learned-skill.js";

/** Characters of a proposed skill, and of the arguments of its trial. */
const LONGEST_SOURCE = 20_000;
const LONGEST_ARGUMENTS = 20_000;
const LONGEST_REASON = 500;

/** A proposal as it stands in a reply. */
export type ProposedSkill = Pick<SkillProposal, "name" | "source" | "reason" | "arguments">;

export type ParsedProposal =
  | { readonly kind: "proposal"; readonly proposal: ProposedSkill }
  /** The model sees no skill in what it did. */
  | { readonly kind: "none"; readonly reason: string }
  | { readonly kind: "bad"; readonly problem: string };

const About = z.object({
  name: z.string().trim().min(1).max(128),
  arguments: z.record(z.string(), z.json()).default({}),
  reason: z.string().trim().default(""),
});

/** Reads what the model says to the question whether its work is worth a skill. */
export function parseProposal({ text, finishReason }: Pick<ModelReply, "text" | "finishReason">): ParsedProposal {
  if (finishReason === "length") return bad("the reply was cut off; write a shorter skill, or answer: no skill");
  const code = extractCode(text);
  if (code === null || !/^```[ \t]*(?:python|py)/im.test(text)) {
    const isNone = /\bno skill\b/i.test(text);
    if (isNone) return { kind: "none", reason: shorten(text.trim(), LONGEST_REASON) };
    return bad("the reply holds no ```python block, and does not say: no skill");
  }
  if (code.unclosed) return bad("its ```python block does not end");
  if (code.code.length > LONGEST_SOURCE) {
    return bad(`its source is longer than ${LONGEST_SOURCE.toLocaleString("en-US")} characters`);
  }
  return readAbout(text, `${code.code}\n`);
}

function readAbout(text: string, source: string): ParsedProposal {
  // The skill may hold such a block in a docstring; what is about it comes after it.
  const json = fencedJson(text).tagged.at(-1);
  if (json === undefined) return bad("the reply holds no ```json block with name and arguments");
  if (json.length > LONGEST_ARGUMENTS) return bad("its ```json block is too long; try it with smaller arguments");
  try {
    const about = About.safeParse(JSON.parse(json));
    if (!about.success) return bad(`its \`\`\`json block is not as asked for: ${z.prettifyError(about.error)}`);
    const { name, arguments: args, reason } = about.data;
    return { kind: "proposal", proposal: { name, source, arguments: args, reason: shorten(reason, LONGEST_REASON) } };
  } catch (error) {
    // Not JSON, or nested deeper than anybody reads.
    return bad(`its \`\`\`json block cannot be read: ${messageOf(error)}`);
  }
}

function bad(problem: string): ParsedProposal {
  return { kind: "bad", problem };
}
