export * from "./public.js";
export type { FileCheckOptions, RepairedTexts, TextInterpreter, TextWorkOptions } from "./writing-session.js";
