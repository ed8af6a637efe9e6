export * from "./public.js";
export { ContentValidator } from "./content-validator.js";
