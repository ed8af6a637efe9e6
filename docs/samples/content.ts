import { validateContent, type ContentReport } from "vitrine";

export function lookAtReport(bytes: Uint8Array): Promise<ContentReport> {
  return validateContent({ bytes, mime: "application/pdf", filename: "report.pdf" });
  // { kind: "valid", format: "pdf", size: 2220, checked: "content", facts: { format: "pdf", version: "1.3", pages: 3 } }
}

export function lookAtJson(): Promise<ContentReport> {
  return validateContent({ text: '{\n  "a": NaN}', format: "json" });
  // { kind: "invalid", format: "json", size: 13, code: "json_parse_failed", line: 2, column: 8, message: "…" }
}
