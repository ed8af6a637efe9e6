/** How to work on code, for the prompt. */
export function codingRules(kind: "code" | "react"): string {
  return RULES.replaceAll("{tools}", kind === "code" ? "tools." : "");
}

const RULES = `## Work on code
The project is in /workspace. Paths of read_file and list_dir are absolute, as /workspace/README.md.
- Look first: {tools}list_dir, {tools}grep_files, and {tools}read_file with offset and limit. Read what you are going to change.
- Run the tests before and after: {tools}run_tests, of one file or of all. They run in a fresh interpreter.
- Change files with {tools}apply_patch, whose input is a patch of this form; lines of context have a blank before them:
*** Begin Patch
*** Update File: package/module.py
@@ def function():
     unchanged = 1
-    old = 2
+    new = 2
*** End Patch
"*** Add File: path" (each line with +) and "*** Delete File: path" are there as well.
- Mend the cause, and no more than the task asks for. Leave tests as they are unless the task is about them.
- The task is done when the tests pass. The user sees the whole difference: say in a few sentences what was wrong and what you changed.`;
