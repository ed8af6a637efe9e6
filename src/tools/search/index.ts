export { TOOL_SEARCH, ToolSearch, type ToolHit, type ToolSearchOptions, type ToolSearchResult } from "./tool-search.js";
