import { html, nothing, type TemplateResult } from "lit";

import type { PendingApproval } from "../../state/questions/approvals.js";
import type { PendingServerQuestion } from "../../state/questions/server-questions.js";
import { wanted } from "../../state/questions/wanted.js";

/** Where a question of an MCP server is asked. What asks is loaded with the first: most visits see none. */
export function serverQuestionSlot(pending: PendingServerQuestion | undefined): TemplateResult | typeof nothing {
  if (pending === undefined) return nothing;
  import("./server-question-card.js").catch((error: unknown) => {
    console.error(error);
    pending.fail(new Error("The user could not be asked: a part of the page did not load."));
  });
  return html`<vitrine-app-server-question .pending=${pending}></vitrine-app-server-question>`;
}

/** The journal entry that a card was about which is drawn no more; undefined for what is no such card. */
export function askedAbout(gone: Element): string | null | undefined {
  const card = gone.closest<HTMLElement & { pending?: PendingApproval | PendingServerQuestion }>(
    "vitrine-app-approval, vitrine-app-server-question",
  );
  const { pending } = card ?? {};
  if (pending === undefined) return undefined;
  return ("request" in pending ? wanted(pending, undefined) : wanted(undefined, pending))?.callId;
}
