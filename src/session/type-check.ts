import type { Finding, TypeChecker } from "../check/index.js";
import { toolStubs, type ToolDirectory } from "../tools/index.js";

/** More tools than these are no longer described to the type checker one by one: all are Any then. */
const MOST_TOOLS = 500;

const OTHERS = `from typing import Any
skills: Any
workflows: Any
artifacts: Any
deps: Any
def display(*values: Any) -> None: ...
def final_answer(value: Any = None) -> Any: ...
`;

export interface TypeCheckPlan {
  readonly code: string;
  readonly types: TypeChecker;
  readonly tools: ToolDirectory;
  /** The session's variables, whose types nobody knows. */
  readonly names: readonly string[];
}

/** What a type checker says of the code. One that fails costs its opinion, which is then missing, and that is said. */
export async function typeFindings({ code, types, tools, names }: TypeCheckPlan): Promise<readonly Finding[]> {
  const all = tools.list();
  const described = all.length > MOST_TOOLS ? "from typing import Any\ntools: Any\n" : toolStubs(all);
  const known = names.map((name) => `${name}: Any\n`).join("");
  const stubs = new Map([
    ["vitrine_tools", described],
    ["vitrine_names", `${OTHERS}${known}`],
  ]);
  const prelude = "from vitrine_names import *; from vitrine_tools import tools";
  try {
    return await types.check({ code, stubs, prelude });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `Types were not checked: ${reason}`;
    return [
      { severity: "warning", code: "NOT_CHECKED", message, line: 1, column: 1, suggestion: "", pythonType: "Warning" },
    ];
  }
}
