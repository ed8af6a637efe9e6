/** Whether what is drawn in an element is dark: as its own `color-scheme` says, which a page may set and change at any time. */
export class PageScheme {
  /** Its colour is white on a light page and black on a dark one, and takes a moment to change. */
  readonly probe = document.createElement("span");
  readonly #onChange: (isDark: boolean) => void;
  readonly #ofMachine = matchMedia("(prefers-color-scheme: dark)");
  #isDark = false;

  constructor(onChange: (isDark: boolean) => void) {
    this.#onChange = onChange;
    this.probe.className = "scheme";
    this.probe.ariaHidden = "true";
    this.probe.addEventListener("transitionend", this.look);
  }

  watch(): void {
    this.#ofMachine.addEventListener("change", this.look);
    this.look();
  }

  unwatch(): void {
    this.#ofMachine.removeEventListener("change", this.look);
  }

  /** Looks whether it is dark now. */
  readonly look = (): void => {
    const isDark = /^rgba?\(0, 0, 0\b/.test(getComputedStyle(this.probe).color);
    if (isDark === this.#isDark) return;
    this.#isDark = isDark;
    this.#onChange(isDark);
  };
}
