import { html, type TemplateResult } from "lit";

import type { PendingApproval } from "../../state/questions/approvals.js";

/** Where a user is asked about files. What shows them is loaded with the first such question: most visits see none. */
export function fileQuestionSlot(pending: PendingApproval): TemplateResult {
  import("./file-question.js").catch((error: unknown) => {
    console.error(error);
    pending.deny("The user could not be asked: a part of the page did not load.");
  });
  return html`<vitrine-app-file-question .pending=${pending}></vitrine-app-file-question>`;
}
