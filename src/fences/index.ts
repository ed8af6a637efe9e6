export { CellFenceError } from "./errors.js";
export { vitrineCells, type MarkdownIt, type MarkdownState, type MarkdownToken } from "./vitrine-cells.js";
