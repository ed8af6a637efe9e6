export * from "./public.js";
export type { Json } from "./json-value.js";
