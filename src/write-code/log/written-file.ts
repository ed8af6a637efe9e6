/** A file as a batch has written it. */
export interface WrittenFile {
  /** Relative to `/workspace`. */
  readonly path: string;
  readonly operation: "create" | "modify";
  readonly description: string;
  /** Null for an image. */
  readonly text: string | null;
  /** Of an image; of a text the ending of its name says it. */
  readonly mime?: string | undefined;
  /** Who wrote it. */
  readonly model: string;
}

/** `YYYY-MM-DD HH:MM:SS`, by the clock on the wall. */
export function timestampOf(time: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [String(time.getFullYear()).padStart(4, "0"), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":")}`;
}
