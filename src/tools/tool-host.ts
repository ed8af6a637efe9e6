import type { Problem } from "../protocol/index.js";

import type { McpAnswers } from "./mcp-answers.js";
import type { HttpToolOptions } from "./requests/request-options.js";

/** What a session gives its tools to work with. */
export interface ToolEnvironment extends HttpToolOptions {
  /** Who answers what MCP servers ask. */
  readonly mcp?: McpAnswers;
}

/** What a registry gives an adapter. */
export interface ToolHost {
  readonly environment: ToolEnvironment;
  /** The adapter's `tool` has other callables, or another description, now. Its name stays. */
  changed(): void;
  /** What is wrong with the tool beside any call; in place of what was told before. Empty: nothing any more. */
  problems(problems: readonly Problem[]): void;
}
