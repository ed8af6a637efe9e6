export * from "./public.js";
export type { Strategy } from "./decision.js";
export type { Violation } from "./verify-call.js";
