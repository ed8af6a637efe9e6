export * from "./public.js";
