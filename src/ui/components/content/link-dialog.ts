import { html, render } from "lit";

/** Shows the whole target of a link and opens it when the user says so, without telling the other side where from. */
export function openLink(target: string): void {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog small";
  dialog.setAttribute("aria-labelledby", "link-dialog-title");
  const close = (): void => {
    dialog.close();
  };
  dialog.addEventListener("close", () => {
    dialog.remove();
  });
  render(
    html`<header><h2 id="link-dialog-title">Open this address?</h2></header>
      <div class="body">
        <p>The link was written by code or a model. It leads to</p>
        <pre class="target" tabindex="0">${target}</pre>
        <p class="hint">An address can carry data away. Open it only if you know all of it.</p>
      </div>
      <footer>
        <button type="button" class="btn" autofocus @click=${close}>Cancel</button>
        <a class="btn" href=${target} target="_blank" rel="noopener noreferrer" @click=${close}>Open in a new tab</a>
      </footer>`,
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
}
