export * from "./public.js";
export { ascending, citedSids } from "./sources/citations.js";
export { PROGRAM_TOOL_TAG } from "./outcome/program-tag.js";
export { CITABLE_TOOLS, SourcePool, sourceRows } from "./sources/sources.js";
