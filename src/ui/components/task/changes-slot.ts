import { html, nothing, type TemplateResult } from "lit";

import { taskDiffName } from "../../../coding/index.js";
import type { AppState } from "../../state/app-state.js";
import type { TaskView } from "../../state/task/task-view.js";

/** What a task changed in the workspace, where that was kept. What a file names is not to be taken for the reader's own. */
export function changesSlot(
  app: AppState,
  { taskId, artifacts, active, isImported }: TaskView,
): TemplateResult | typeof nothing {
  if (taskId === null || active || isImported || !artifacts.includes(taskDiffName(taskId))) return nothing;
  void import("./task-changes.js");
  return html`<vitrine-app-task-changes .app=${app} .taskId=${taskId}></vitrine-app-task-changes>`;
}
