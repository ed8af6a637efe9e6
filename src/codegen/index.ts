export * from "./public.js";
export type { CallEnd, CallRecord } from "./records/call-records.js";
export { ascending, citedSids } from "./sources/citations.js";
export { PROGRAM_TOOL_TAG } from "./outcome/program-tag.js";
export { CITABLE_TOOLS, normalizeUrl, SourcePool, sourceRows } from "./sources/sources.js";
