import { button, focused, h } from "./dom.js";

/** Prompts are written by code. */
const LONGEST_PROMPT = 2000;

let forms = 0;

export interface AskOptions {
  /** Ends the question. */
  readonly signal: AbortSignal;
  /** A click in the cell began the run. Some browsers leave the focus nowhere then. */
  readonly isClicked: boolean;
}

/**
 * Asks the reader in `place` for a line. The focus goes there if it was in the cell, or nowhere after a click in it, and back
 * where it was.
 *
 * @returns what was sent. Rejects once `signal` aborts.
 */
export function askForLine(place: HTMLElement, prompt: string, { signal, isClicked }: AskOptions): Promise<string> {
  forms += 1;
  const id = `answer-${forms}`;
  const field = h("input", { id, type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const text = prompt.trim() === "" ? "The code asks for input" : prompt.slice(0, LONGEST_PROMPT);
  const send = button("send", "Send");
  send.type = "submit";
  send.className = "main";
  const form = h("form", { class: "ask", part: "input" }, h("label", { for: id }, h("bdi", {}, text)), field, send);
  const before = focused();
  const isNowhere = before === null || before === document.body;
  const takesFocus = isNowhere ? isClicked : place.getRootNode() === before.getRootNode();
  for (const type of ["keydown", "keypress", "keyup"] as const) form.addEventListener(type, keepTyping);
  place.append(form);
  if (takesFocus) field.focus();
  return new Promise((resolve, reject) => {
    const end = (): void => {
      const hadFocus = form.contains(focused());
      form.remove();
      signal.removeEventListener("abort", abort);
      if (hadFocus && before instanceof HTMLElement) before.focus();
    };
    const abort = (): void => {
      end();
      reject(
        signal.reason instanceof Error ? signal.reason : new DOMException("The code waits no more.", "AbortError"),
      );
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      end();
      resolve(field.value);
    });
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
}

/** Keeps from the page what is typed, as the editor does, whose script is another: sites have keys of their own, `/` for one. */
export function keepTyping(event: KeyboardEvent): void {
  const isShortcut = (event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph");
  if (!isShortcut) event.stopPropagation();
}
