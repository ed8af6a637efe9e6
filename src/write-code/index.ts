export * from "./public.js";
export { WRITE_CODE_NAME } from "./call/input-schema.js";
export { WRITE_CODE_OPTIONS } from "./write-code-options.js";
export type {
  FileCheckOptions,
  RepairedTexts,
  TextInterpreter,
  TextWorkOptions,
  WritingFiles,
  WritingSession,
} from "./writing-session.js";
