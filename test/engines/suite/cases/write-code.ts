import { block } from "../../../agents/replies.js";
import { dictated } from "../dictated.js";
import { differ, type PageCase } from "../engine-case.js";

const CALL =
  "answer = tools.write_codebase_tool(command='write_codebase', files=[{'filename': 'greet.py', 'code_description': 'x'}])";

/** Files that models write: asked over HTTP, checked in an interpreter beside the one that waits, stored, imported. */
export const writeCodeCases: readonly PageCase[] = [
  {
    id: "write-code-1",
    title: "code has a file written, whose first text does not pass its check, and imports it in the same run",
    needs: ["sync_calls"],
    inChromium: "write-code/batch.test.ts",
    run: async (open) => {
      const broken = block("def greet(name:", "    return name");
      const mended = block("def greet(name):", '    return f"Hello, {name}"');
      const session = await open({
        approvals: { "tools.write_codebase_tool": "allow" },
        writeCode: { models: [dictated(broken, mended)] },
      });
      const use =
        "from greet import greet\n[answer['output']['status'], answer['output']['results'][0]['attempts'], greet('Ada')]";
      const { value, error } = await session.run(`${CALL}\n${use}`);
      await session.close();
      return differ("what it came to", error?.message ?? value, ["success", 2, "Hello, Ada"]);
    },
  },
];
