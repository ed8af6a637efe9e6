import { parts } from "../shared/parts.js";

/**
 * Begins with a press on Run what its click needs: a tenth of a second later, when the button is let go, the scripts are
 * there. Neither hovering nor the focus is a wish to run anything, and a finger that comes down may only be scrolling.
 */
export function warmWithPress(root: ShadowRoot): void {
  root.addEventListener("pointerdown", (event) => {
    if (!(event instanceof PointerEvent) || event.pointerType === "touch" || event.button !== 0) return;
    if (isOnRun(event)) parts.current.warm();
  });
  // Enter is a click at once; the space bar is one when it goes up.
  root.addEventListener("keydown", (event) => {
    if (event instanceof KeyboardEvent && event.key === " " && !event.repeat && isOnRun(event)) parts.current.warm();
  });
}

function isOnRun({ target }: Event): boolean {
  return target instanceof Element && target.closest('[data-do="run"]:not([aria-disabled="true"])') !== null;
}
