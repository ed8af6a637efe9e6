export type { CallEnd as ProgramCallEnd, CallRecord as ProgramCallRecord } from "./records/call-records.js";
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
export type { CodegenError } from "./errors.js";
export type { CodegenEvent, CodegenEventBody } from "./events.js";
export { executeCodeTool, type ExecuteCodeToolOptions } from "./execute-code-tool.js";
export type { CheckContent, CodegenItem, CodegenOutput, ContentVerdict } from "./outcome/items.js";
export type { CodegenResult } from "./outcome/result.js";
export type { SourcePool, Source } from "./sources/sources.js";
