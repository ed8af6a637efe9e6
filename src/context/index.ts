export * from "./public.js";
export type { Json } from "./json-value.js";
export type { PathFaultCode } from "./path-grammar.js";
export type { Provenance } from "./records.js";
