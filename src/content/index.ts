export * from "./public.js";
export { textFormats } from "./content-format.js";
export { ContentValidator, type ContentValidatorOptions } from "./content-validator.js";
