export { OptionError, type OptionFault } from "./option-error.js";
