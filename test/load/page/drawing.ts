import "../../../src/ui/styles/index.css";

import type { ApprovalRequest, RunResult } from "../../../src/index.js";
import { ApprovalCard } from "../../../src/ui/components/questions/approval-card.js";
import { ContentView } from "../../../src/ui/components/content/content-view.js";
import { QuestionCard } from "../../../src/ui/components/questions/question-card.js";
import { OutputView } from "../../../src/ui/components/content/output-view.js";
import { contentForm } from "../../../src/ui/state/text/content-form.js";
import type { OutputLog } from "../../../src/ui/state/text/output-log.js";

/** Elements of the demo that have parts which are drawn bit by bit. */
const INNER =
  "vitrine-app-chart, vitrine-app-sealed-view, vitrine-app-markdown, vitrine-app-json-tree, vitrine-app-data-table";

/** Where all of it is drawn. The frames of sessions are elsewhere in the page. */
export const place = document.createElement("main");
document.body.append(place);

/** Draws what a run printed, showed and came to, as the demo does. */
export async function drawOutput(log: OutputLog, result: RunResult): Promise<void> {
  const view = new OutputView();
  view.output = log;
  view.result = result;
  await append(view);
}

/** Draws an artifact as the demo's dialog does. */
export async function drawArtifact(name: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
  const view = new ContentView();
  view.form = contentForm(name, content);
  view.full = true;
  await append(view);
}

/** Draws what a person is asked, at first or to the end. */
export async function drawApproval(
  request: ApprovalRequest,
  { isWhole }: { readonly isWhole: boolean },
): Promise<void> {
  const card = new ApprovalCard();
  const nothing = (): void => undefined;
  card.pending = { request, place: "console", allowOnce: nothing, allowAll: nothing, deny: nothing, denyAll: nothing };
  await append(card);
  if (!isWhole) return;
  const all = Array.from(card.querySelectorAll("button")).find(({ textContent }) => textContent.includes("Show all"));
  all?.click();
  await card.updateComplete;
}

/** Draws what a run asks a person for. */
export async function drawQuestion(question: string): Promise<void> {
  const card = new QuestionCard();
  card.asked = { id: "question", question, answer: null };
  card.waits = true;
  await append(card);
}

/** Takes everything away that was drawn. */
export function eraseAll(): void {
  place.replaceChildren();
}

async function append(view: OutputView | ContentView | ApprovalCard | QuestionCard): Promise<void> {
  place.append(view);
  await view.updateComplete;
  for (const inner of view.querySelectorAll(INNER)) await Reflect.get(inner, "updateComplete");
  await afterFrame();
}

/** Ends when what is drawn has its layout and paint. */
async function afterFrame(): Promise<void> {
  await new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
