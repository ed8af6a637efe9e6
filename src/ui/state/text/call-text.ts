import type { JournalEntry } from "../../../dispatch/index.js";
import { shortenUnitsTo } from "../../../protocol/index.js";
import type { ToolProgress } from "../../../tools/index.js";
import { formatElapsed } from "./format.js";

type Summary = JournalEntry["arguments"][string];

/** How a call stands, as a mark, a word for those who do not see it, and a class. */
export interface CallStanding {
  readonly mark: string;
  readonly word: string;
  readonly kind: "done" | "failed" | "running" | "unknown";
}

/** What a list of calls knows of one of them that the call itself does not say. */
export interface CallPlight {
  /** It waits for a person's word. */
  readonly waits?: boolean;
  /** The replay that shows it was stopped before its end. */
  readonly notReplayed?: boolean;
}

export function callStanding(
  { outcome, course }: JournalEntry,
  { waits = false, notReplayed = false }: CallPlight = {},
): CallStanding {
  if (notReplayed) return { mark: "?", word: "not replayed", kind: "unknown" };
  if (waits && outcome.kind === "pending") return { mark: "?", word: "waits", kind: "running" };
  if (outcome.kind === "pending" && course?.queue?.kind === "waiting") {
    return { mark: "·", word: "queued", kind: "running" };
  }
  switch (outcome.kind) {
    case "ok":
      return { mark: "✓", word: "done", kind: "done" };
    case "error":
      return { mark: "×", word: "failed", kind: "failed" };
    case "unknown":
      return { mark: "?", word: "outcome unknown", kind: "unknown" };
    case "pending":
      return { mark: "·", word: "running", kind: "running" };
  }
}

/** `60 %`, `3 of 5`, `2 so far`, and the message if there is one. */
export function progressText({ progress, total, message = "" }: ToolProgress): string {
  const amount = total === undefined ? `${shortNumber(progress)} so far` : portion(progress, total);
  return message.trim() === "" ? amount : `${amount}: ${onOneLine(message)}`;
}

/** What became of the call on its way, in a word or two: `cached`, `3 tries`, `queued 0.24 s`. Empty where there is nothing to say. */
export function attemptText({ course }: JournalEntry): string {
  const { cached, attempts, queue, arguments: changed } = course ?? {};
  return [
    cached === undefined ? "" : "cached",
    attempts === undefined ? "" : `${String(attempts)} tries`,
    queue?.kind === "admitted" ? `queued ${formatElapsed(queue.waited)}` : "",
    changed === undefined ? "" : "changed",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

/** The call as one line: `tools.units.detect(values=[200 items])`. */
export function callText({ namespace, name, arguments: args }: JournalEntry): string {
  if (namespace === "runs") return `${name}: ${firstLine(args.code)}`;
  const list = Object.entries(args).map(([key, value]) => `${key}=${shortValue(value)}`);
  return `${namespace}.${name}(${list.join(", ")})`;
}

function portion(progress: number, total: number): string {
  // A count of things reads as such; a fraction or a large number says more in percent.
  const countable = Number.isInteger(progress) && Number.isInteger(total) && total > 1 && total <= 20;
  if (countable) return `${String(progress)} of ${String(total)}`;
  const percent = total > 0 ? Math.round((100 * progress) / total) : 0;
  return `${String(Math.min(100, Math.max(0, percent)))} %`;
}

function shortNumber(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString("en-US") : value.toFixed(1);
}

/** The text on one line, cut. */
export function onOneLine(text: string): string {
  return shortenUnitsTo(text.trim().replace(/\s+/g, " "), LONGEST_TEXT);
}

function firstLine(code: Summary | undefined): string {
  const [line = "", ...more] = typeof code === "string" ? code.trim().split("\n") : [];
  return more.length > 0 ? `${line} …` : line;
}

const LONGEST_TEXT = 48;

function shortValue(value: Summary): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return shortText(value);
  if (Array.isArray(value)) return shortList(value);
  const size = Object.keys(value).length;
  return size === 0 ? "{}" : `{${String(size)} ${size === 1 ? "key" : "keys"}}`;
}

function shortText(text: string): string {
  // What was cut on its way here says its size itself.
  if (/^<[\d,]+ bytes>$/.test(text)) return text.slice(1, -1);
  const size = /^<list of length ([\d,]+)>$/.exec(text)?.[1];
  if (size !== undefined) return `[${size} items]`;
  if (/^<[a-z]+(?: of length [\d,]+)?>$/.test(text)) return text;
  const cut = /… \[([\d,]+ characters)\]$/.exec(text);
  if (cut?.[1] !== undefined) return cut[1];
  const line = text.replace(/\s+/g, " ");
  return line.length > LONGEST_TEXT ? `${String(text.length)} characters` : JSON.stringify(line);
}

function shortList(items: readonly Summary[]): string {
  if (items.length === 0) return "[]";
  const last = items.at(-1);
  const more = typeof last === "string" ? /^… \[([\d,]+) more\]$/.exec(last)?.[1] : undefined;
  const count = more === undefined ? items.length : items.length - 1 + Number(more.replaceAll(",", ""));
  const plain = items.every((item) => typeof item === "number" || (typeof item === "string" && item.length < 12));
  if (plain && items.length <= 4 && more === undefined) return `[${items.map(shortValue).join(", ")}]`;
  return `[${String(count)} ${count === 1 ? "item" : "items"}]`;
}
