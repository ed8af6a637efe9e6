import { validateContent, type ContentReport } from "../../content/index.js";
import type { CheckContent, ContentVerdict } from "./items.js";

/** Looks into content in a sealed worker; `docs/content.md` says how far. */
export function checkContentIn(signal: AbortSignal): CheckContent {
  return async (content, claim) => {
    const source = typeof content === "string" ? { ...claim, text: content } : { ...claim, bytes: content };
    return verdictOf(await validateContent(source, { signal }));
  };
}

function verdictOf(report: ContentReport): ContentVerdict {
  if (report.kind === "valid") return { kind: "valid" };
  if (report.kind === "invalid") return { kind: "invalid", message: report.message };
  return { kind: "warning", warnings: report.warnings.map(({ code, message }) => `${code}: ${message}`) };
}
