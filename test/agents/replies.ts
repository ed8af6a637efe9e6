/** What opens and closes a block of code. */
export const F = "```";

/** A reply with a block of Python. */
export const block = (...lines: string[]): string => [`${F}python`, ...lines, F].join("\n");
