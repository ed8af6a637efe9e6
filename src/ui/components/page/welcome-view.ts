import { html, type TemplateResult } from "lit";

import type { AppState } from "../../state/app-state.js";
import type { Observable } from "../../state/text/observable.js";
import "./interrupted-card.js";
import { emit } from "../base/page-events.js";
import "../dialogs/saved-tasks-list.js";
import { ViewElement } from "../base/view-element.js";
import { WELCOME } from "./welcome-words.js";

/** What is shown before the first task: what this is, what is recorded and what is real, and where to begin. */
export class WelcomeView extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;

  protected override sources(): readonly Observable[] {
    return [this.app.settings];
  }

  override render(): TemplateResult {
    const { shipped, modelCanGoOn } = this.app.tasks;
    return html`<div class="welcome">
      <vitrine-app-interrupted .app=${this.app}></vitrine-app-interrupted>
      <h1>${WELCOME.title}</h1>
      <p>${WELCOME.lead}</p>
      <div class="row">
        <button type="button" class="btn" @click=${() => emit(this, "vitrine-pick-files")}>${WELCOME.file}</button>
        <button type="button" class="btn" @click=${() => emit(this, "vitrine-try-python", { task: "" })}>
          ${WELCOME.python}
        </button>
        <button type="button" class="btn" @click=${() => emit(this, "vitrine-settings")}>${WELCOME.model}</button>
      </div>
      <h2>${WELCOME.tasks}</h2>
      <p>${modelCanGoOn ? WELCOME.own : WELCOME.recorded}</p>
      <ul class="offers">
        ${shipped.map(
          ({ title, task }) =>
            html`<li>
              <button type="button" class="offer" @click=${() => void this.app.runTask(task)}>
                <b>${title}</b><span>${task}</span>
              </button>
            </li>`,
        )}
      </ul>
      <vitrine-app-saved-tasks
        class="earlier"
        .app=${this.app}
        .most=${5}
        heading="Earlier tasks"
      ></vitrine-app-saved-tasks>
    </div>`;
  }
}
customElements.define("vitrine-app-welcome", WelcomeView);
