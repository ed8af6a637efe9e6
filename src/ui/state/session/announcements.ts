/** What is said to those who listen instead of looking. */
export class Announcements {
  /** As it is to be drawn. */
  text = "";
  /** Whether nothing was announced that is not drawn yet. */
  #isHeard = true;

  add(text: string): void {
    if (this.#isHeard) {
      // The same words again are a change that is heard only where the text is another one.
      this.text = this.text === text ? `${text}\u00a0` : text;
      this.#isHeard = false;
    } else {
      this.text = `${this.text} ${text}`;
    }
  }

  /** It is drawn: what is said next takes its place. Until then it is said with it. */
  hear(): void {
    this.#isHeard = true;
  }
}
