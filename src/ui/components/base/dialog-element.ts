import { ViewElement } from "./view-element.js";

/** Base of what opens above the page whenever it is asked for. It draws its `dialog` while it has something to show. */
export abstract class DialogElement extends ViewElement {
  /** From the moment it is asked for until it is drawn and open. */
  #isOpening = false;

  protected show(): void {
    this.#isOpening = true;
    this.requestUpdate();
    void this.updateComplete.then(() => {
      this.#isOpening = false;
      const dialog = this.querySelector("dialog");
      if (dialog?.open === false) dialog.showModal();
    });
  }

  protected readonly close = (): void => {
    this.querySelector("dialog")?.close();
  };

  /** Lets go of what it showed. */
  protected abstract forget(): void;

  /** The event comes a while after the dialog has closed: by then it may be asked for again. */
  protected readonly closed = ({ currentTarget }: Event): void => {
    const isOpen = currentTarget instanceof HTMLDialogElement && currentTarget.open;
    if (!isOpen && !this.#isOpening) this.forget();
  };
}
