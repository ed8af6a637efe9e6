import type { OpenApiProgress } from "../../../tools/index.js";
import { formatBytes, formatCount } from "./format.js";

/** What is said of a tool while its functions are being found out. */
export interface ImportText {
  /** Changes a few times, so that it can be read out. */
  readonly phase: string;
  /** Changes many times a second, or is empty: `300 of 1,200 operations`. */
  readonly count: string;
}

export function importText(progress: OpenApiProgress | undefined): ImportText {
  if (progress === undefined) return { phase: "Asking for its functions …", count: "" };
  const { phase, done, total = 0 } = progress;
  switch (phase) {
    case "fetching":
      return { phase: "Fetching the document …", count: "" };
    case "reading":
      return { phase: "Reading the document …", count: formatBytes(total) };
    case "making":
      return {
        phase: "Making functions …",
        count: `${done.toLocaleString("en-US")} of ${formatCount(total, "operation")}`,
      };
  }
}
