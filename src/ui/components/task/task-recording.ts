import { html, nothing, type TemplateResult } from "lit";

import { formatTranscript } from "../../../model/index.js";
import { download } from "../../drawing/download.js";
import { taskFileName } from "../../state/task/saved-tasks.js";
import type { TaskView } from "../../state/task/task-view.js";

/** What a model of the user's own said to a task, and to those in its course: to be kept, and to be said again. */
export function recordingOffer({ recording }: TaskView, replay: () => void): TemplateResult | typeof nothing {
  if (recording === null) return nothing;
  return html`<div class="row recording">
    <span class="hint">This task was recorded.</span>
    ${recording.map(
      (transcript, index) =>
        html`<button
          type="button"
          class="quiet-link"
          title=${transcript.task.slice(0, 200)}
          @click=${() => download(taskFileName(transcript.task, ".yaml"), formatTranscript(transcript))}
        >
          ${index === 0 ? "Download the recording" : `… of what it asked for (${String(index)})`}
        </button>`,
    )}
    <button type="button" class="quiet-link" @click=${replay}>Replay it from now on</button>
  </div>`;
}
