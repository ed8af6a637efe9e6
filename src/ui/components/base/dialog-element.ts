import { ViewElement } from "./view-element.js";

/** Base of what opens above the page whenever it is asked for. It draws its `dialog` while it has something to show. */
export abstract class DialogElement extends ViewElement {
  protected show(): void {
    this.requestUpdate();
    void this.updateComplete.then(() => {
      const dialog = this.querySelector("dialog");
      if (dialog?.open === false) dialog.showModal();
    });
  }

  protected readonly close = (): void => {
    this.querySelector("dialog")?.close();
  };
}
