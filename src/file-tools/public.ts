export { FileTooLargeError } from "./errors.js";
