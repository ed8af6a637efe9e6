import type { AgentOnPath } from "../../../tools/index.js";
import type { PendingApproval } from "./approvals.js";
import type { PendingServerQuestion } from "./server-questions.js";

/** What a call waits for the user to do. */
export interface Wanted {
  /** The journal entry of the call; null where it is not known which it is. */
  readonly callId: string | null;
  /** The agents inside one another whose work led to it. */
  readonly path: readonly AgentOnPath[];
  /** `allow tools.mail.send`. */
  readonly deed: string;
}

/** What is asked where the task is shown, if anything. */
export function wanted(
  approval: PendingApproval | undefined,
  question: PendingServerQuestion | undefined,
): Wanted | undefined {
  if (approval !== undefined) {
    const { callId, path, name } = approval.request;
    return { callId, path, deed: `allow ${name}` };
  }
  if (question === undefined) return undefined;
  // Of several calls no server says which one it asks for.
  const [call, ...others] = question.asker.calls;
  const known = others.length === 0 ? call : undefined;
  return { callId: known?.callId ?? null, path: known?.path ?? [], deed: `answer ${question.asker.name}` };
}
