export type { CallEnd, CallRecord } from "./records/call-records.js";
export { Codegen, type CodegenRun } from "./codegen.js";
export type {
  CodegenCallOptions,
  CodegenOptions,
  CodegenRequest,
  CodegenSession,
  FetchContext,
  FetchedContext,
  ProgramOptions,
} from "./codegen-options.js";
export { codegenTool, type CodegenToolOptions } from "./codegen-tool.js";
export { ascending, citedSids } from "./sources/citations.js";
export type { CodegenError } from "./errors.js";
export type { CodegenEvent, CodegenEventBody } from "./events.js";
export { executeCodeTool, type ExecuteCodeToolOptions } from "./execute-code-tool.js";
export type { CheckContent, CodegenItem, CodegenOutput, ContentVerdict } from "./outcome/items.js";
export { PROGRAM_TOOL_TAG } from "./outcome/program-tag.js";
export type { CodegenResult } from "./outcome/result.js";
export { CITABLE_TOOLS, normalizeUrl, SourcePool, sourceRows, type Source } from "./sources/sources.js";
