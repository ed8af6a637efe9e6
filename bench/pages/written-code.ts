/** Lines of a long candidate. */
export const LONG = 2000;

interface Candidate {
  /** Whose it is, from 0. */
  readonly writer: number;
  /** Another text in each. */
  readonly batch: number;
  readonly lines: number;
}

/** A module of functions of Python, of four lines each, of which a sixth has changed since the batch before. */
export function candidateText({ writer, batch, lines }: Candidate): string {
  const functions = Array.from({ length: Math.ceil((lines - 2) / 4) }, (_, index) => {
    const amount = index % 6 === 0 ? batch * 10 + writer : index;
    return `def add_${String(index)}(number: int) -> int:\n    """Add ${String(amount)} to a number."""\n    return number + ${String(amount)}\n\n`;
  });
  return `"""Sums, by writer ${String(writer)}."""\n\n${functions.join("").trimEnd()}\n`;
}
