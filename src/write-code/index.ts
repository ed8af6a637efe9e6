export * from "./public.js";
export type {
  FileCheckOptions,
  RepairedTexts,
  TextInterpreter,
  TextWorkOptions,
  WritingFiles,
  WritingSession,
} from "./writing-session.js";
