import type { ChildOptions, ChildSession } from "../session/index.js";
import { functionTool, type ToolAdapter } from "../tools/index.js";
import { DEFAULT_TIMEOUT, LONGEST_TIMEOUT, TestInput, TestReport } from "./test-report.js";

/**
 * Runs the tests of `/workspace` in a session of its own, sealed and without tools, so that no module is there from an
 * earlier run. What the tests write below `/workspace` stays.
 *
 * @param openChild - opens a session inside that of the caller.
 */
export function runTestsTool(openChild: (options: ChildOptions) => Promise<ChildSession>): ToolAdapter {
  return functionTool({
    name: "run_tests",
    description: "Runs unittest or pytest on /workspace in a fresh interpreter, and says which tests failed and why.",
    input: TestInput,
    output: TestReport,
    // A limit of the run itself says better what came of it.
    timeout: LONGEST_TIMEOUT + DEFAULT_TIMEOUT,
    ownTime: true,
    run: async (input, { callId, signal }) => {
      const { runTests } = await import("./run-tests.js");
      return runTests(input, { open: () => openChild({ parentCall: callId, scope: { names: [] } }), signal });
    },
  });
}
