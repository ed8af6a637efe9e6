import type { TypeChecker } from "../../check/index.js";
import { optionCheck } from "../../options/index.js";
import type { HelperKind } from "../../protocol/index.js";
import { TOOL_SCOPE, type ToolScope } from "../../tools/index.js";

/** How to check code: as the run would be made. */
export interface CheckOptions {
  /** `agent`: the code may call `final_answer`. Default: `none`. */
  readonly helpers?: HelperKind;
  /** The tools that the run would see. Default: all that the session's code sees. */
  readonly scope?: ToolScope;
  /** Modules that the run may import. Default: the session's. */
  readonly imports?: readonly string[];
  /** Looks at types as well. What it says are warnings. */
  readonly types?: TypeChecker;
}

export const checkCheckOptions = optionCheck<CheckOptions>("session.check", {
  helpers: "string?",
  scope: TOOL_SCOPE,
  imports: "array?",
  types: "object?",
});
