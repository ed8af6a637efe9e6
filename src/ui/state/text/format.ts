import type { SignalType } from "../../../protocol/index.js";
import type { LoadProgress, SpareStatus } from "../../../executor/index.js";

/** `6.1 KB`: decimal, as file managers and download pages count. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${String(bytes)} B`;
  const units = ["KB", "MB", "GB"];
  let size = bytes / 1000;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size < 9.95 ? size.toFixed(1) : size.toFixed(0)} ${units[unit] ?? ""}`;
}

/** `3 ms`, `0.21 s`, `12 s`, `2 min 5 s`. */
export function formatElapsed(milliseconds: number): string {
  if (milliseconds < 1) return "< 1 ms";
  if (milliseconds < 99.5) return `${milliseconds.toFixed(0)} ms`;
  // Bounds are where the shorter form begins to round to the next longer one.
  const seconds = milliseconds / 1000;
  if (seconds < 0.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${String(whole)} s` : `${String(Math.floor(whole / 60))} min ${String(whole % 60)} s`;
}

/** `Loading Python, 3.9 of 14 MB`. */
export function loadingText(progress: LoadProgress | undefined): string {
  if (progress === undefined) return "Loading Python";
  const { loaded, total } = progress;
  if (total === undefined) return `Loading Python, ${formatBytes(loaded)}`;
  if (loaded >= total) return "Starting Python";
  return `Loading Python, ${(loaded / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(total < 9.95e6 ? 1 : 0)} MB`;
}

/** What the interpreter that is kept ready is good for and costs; nothing where none is. */
export function spareText(spare: SpareStatus | undefined): string {
  if (spare === undefined) return "";
  if (spare.problem !== null) return `No spare interpreter could be kept ready: ${spare.problem}`;
  if (spare.state !== "ready") return "";
  const size = formatBytes(spare.heapSize);
  return `A second interpreter is kept ready, so that Reset is immediate. Its heap takes ${size}, and the browser about as much again.`;
}

/** `now`, `4 min ago`, `14:05` earlier today, else the date. */
export function formatAge(date: Date, now = new Date()): string {
  const minutes = (now.getTime() - date.getTime()) / 60_000;
  if (minutes < 1) return "now";
  if (minutes < 60) return `${String(Math.floor(minutes))} min ago`;
  const sameDay = date.toDateString() === now.toDateString();
  return sameDay ? formatClock(date).slice(0, 5) : date.toISOString().slice(0, 10);
}

/** `14:05:09`. */
export function formatClock(date: Date): string {
  return date.toTimeString().slice(0, 8);
}

/** `1 file`, `3 files`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** What an agent's signals are called for a person. */
export const SIGNAL_NAMES: Readonly<Record<SignalType, string>> = {
  uncertain: "Not sure",
  explore: "Trying",
  commit: "Decided",
};
