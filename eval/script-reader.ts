import { z } from "zod";

import type { Script, ScriptedReply } from "./transcript.js";
import type { WriterRole } from "./writer-roles.js";

/** Gives the replies of a script, each once: those of the agent in turn, and those for a file in turn by who is asked. */
export class ScriptReader {
  readonly #script: Script;
  #replies = 0;
  /** By role and file. */
  readonly #given = new Map<string, number>();

  constructor(script: Script) {
    this.#script = script;
  }

  /** Undefined where the script has come to its end. */
  next(): ScriptedReply | undefined {
    return this.#script.replies[this.#replies++];
  }

  /** Undefined where the script has no further reply of that role for that file. */
  nextOf(role: WriterRole, file: string): ScriptedReply | undefined {
    const key = `${role} ${file}`;
    const given = this.#given.get(key) ?? 0;
    this.#given.set(key, given + 1);
    return Object.hasOwn(this.#script.written, file) ? this.#script.written[file]?.[role]?.[given] : undefined;
  }
}

const Asked = z.object({ messages: z.array(z.object({ role: z.string(), content: z.unknown() })) });

/** The file that a request of `write_codebase_tool` is about, as the first message of the user says it; empty where none does. */
export function targetOf(body: unknown): string {
  const asked = Asked.safeParse(body);
  const first = asked.success ? asked.data.messages.find(({ role }) => role === "user")?.content : undefined;
  return /^(?:## Target File\n|File: )(.+)$/m.exec(typeof first === "string" ? first : "")?.[1]?.trim() ?? "";
}
