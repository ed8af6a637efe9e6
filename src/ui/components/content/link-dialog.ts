import { html, render } from "lit";

import { rootOf } from "../base/view-element.js";

/**
 * Shows the whole target of a link and opens it when the user says so, without telling the other side where from.
 *
 * @param from - where the link is: the dialog has the styles of that place.
 */
export function openLink(target: string, from: Element): void {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog small";
  dialog.setAttribute("aria-labelledby", "link-dialog-title");
  const close = (): void => {
    dialog.close();
  };
  const open = (): void => {
    close();
    openInNewTab(target);
  };
  dialog.addEventListener("close", () => {
    dialog.remove();
  });
  render(
    html`<header><h2 id="link-dialog-title">Open this address?</h2></header>
      <div class="body">
        <p>The link was written by code or a model. It leads to</p>
        <pre class="target" tabindex="0" dir="ltr">${target}</pre>
        <p class="hint">An address can carry data away. Open it only if you know all of it.</p>
      </div>
      <footer>
        <button type="button" class="btn" autofocus @click=${close}>Cancel</button>
        <button type="button" class="btn" @click=${open}>Open in a new tab</button>
      </footer>`,
    dialog,
  );
  const root = rootOf(from);
  (root instanceof Document ? root.body : root).append(dialog);
  dialog.showModal();
}

/**
 * Until here no link with the address was in the page: browsers look up the hosts of links ahead of time, scripts and
 * speculation rules of a site load what they lead to, and both would carry data away.
 */
function openInNewTab(target: string): void {
  const link = document.createElement("a");
  link.href = target;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  link.click();
}
