let number = 0;

/** A database of its own for each test. */
export function freshName(): string {
  number += 1;
  return `test-${String(Date.now())}-${String(number)}-${Math.random().toString(36).slice(2)}`;
}
