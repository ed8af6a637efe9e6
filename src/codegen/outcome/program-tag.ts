/** Tags the tools that run programs: no program sees them. */
export const PROGRAM_TOOL_TAG = "runs-programs";
