const FROM_RIGHT = /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFF]/;

/** Such letters and marks in a row, with what is between them and has their direction. */
const STRETCH = new RegExp(`${FROM_RIGHT.source}(?:${FROM_RIGHT.source}|[\\s!-/:-@])*`);

/** Turns of the direction of writing in a document that is drawn: Firefox compares each with all others of its paragraph. */
const MOST_TURNS = 5000;

/** Whether the character, by its code, is set from right to left, or turns others. */
export function isSetFromRight(code: number): boolean {
  return code >= 0x590 && FROM_RIGHT.test(String.fromCharCode(code));
}

/** Whether a text changes its direction oftener than is drawn. */
export function turnsTooOften(text: string): boolean {
  return text.split(STRETCH, MOST_TURNS + 2).length > MOST_TURNS + 1;
}
