export { INNER_SCRIPT_HASH, OUTER_SCRIPT_HASH } from "./frame-hashes.js";
