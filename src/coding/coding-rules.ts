/** How to work on code, for the prompt. */
export function codingRules(kind: "code" | "react"): string {
  const { tools, imports, literal } = kind === "code" ? IN_PYTHON : IN_JSON;
  return RULES.replaceAll("{tools}", tools).replace("{imports}", imports).replace("{literal}", literal);
}

const IN_PYTHON = {
  tools: "tools.",
  imports: " Modules that you have imported yourself stay as they were.",
  literal: " Give it as r'''…''', or Python takes its backslashes for its own.",
};

const IN_JSON = { tools: "", imports: "", literal: "" };

const RULES = `## Work on code
The project is in /workspace. Paths of read_file and list_dir are absolute, as /workspace/README.md.
- Look first: {tools}list_dir, {tools}grep_files, and {tools}read_file with offset and limit. Read what you are going to change.
- Run the tests before and after: {tools}run_tests, with targets such as ["tests/test_a.py"], or without for all. They run in a fresh interpreter.{imports}
- Change files with {tools}apply_patch, whose input is a patch of this form.{literal} Lines of context begin with a blank; what stands after @@, if anything, is a whole line above them:
*** Begin Patch
*** Update File: package/module.py
@@ def function():
     unchanged = 1
-    old = 2
+    new = 2
*** End Patch
"*** Add File: path" (each line with +) and "*** Delete File: path" are there as well.
- {tools}shell_command has commands for files and texts, and no python, pip or git.
- Mend the cause, and no more than the task asks for. Leave tests as they are unless the task is about them.
- The task is done when the tests pass. The user sees the whole difference: your answer says in a few sentences what was wrong and what you changed.`;
