import type { LoadAttempt } from "./attempt.js";

/** Tools that run programs are called by session code with whatever it likes. */
const refused = (call: string, error: string): string =>
  `result = ${call}\nif result["error"]["error"] != ${JSON.stringify(error)}: raise Exception(str(result["error"])[:500])`;

/** What is asked of programs: contracts, lists of files and of sources. */
export const contractAttempts: readonly LoadAttempt[] = [
  {
    name: "a contract that is JSON of five million parts",
    entry: "codegen contracts",
    code: refused(
      `tools.codegen_python(instruction="x", output_contract='{"a":[' + '[],' * 5_300_000 + '0]}')`,
      "invalid_output_contract",
    ),
    refusedWith: null,
    isSliced: false,
    // One text without parts, as what is to be refused is one.
    allows: { readText: 16_000_000 },
    bound: "contract",
  },
  {
    name: "a list of eight thousand files",
    entry: "codegen contracts",
    code: refused(
      `tools.execute_code_python(code="pass", out_artifacts_spec=[{"name": f"n{n}", "filename": f"f{n}", "mime": "a/b", "description": "d"} for n in range(8000)])`,
      "invalid_artifacts",
    ),
    refusedWith: null,
    isSliced: false,
    bound: "contract",
  },
  {
    name: "a list of sources that is JSON of five million parts",
    entry: "codegen contracts",
    code: refused(
      `tools.codegen_python(instruction="x", output_contract={"a": {"type": "inline", "format": "text"}}, sources_list='[' + '[],' * 5_300_000 + '0]')`,
      "invalid_sources_list",
    ),
    refusedWith: null,
    isSliced: false,
    // One text without parts, as what is to be refused is one.
    allows: { readText: 16_000_000 },
    bound: "contract",
  },
  {
    name: "a hundred thousand sources",
    entry: "codegen contracts",
    code: refused(
      `tools.codegen_python(instruction="x", output_contract={"a": {"type": "inline", "format": "text"}}, sources_list=[{"sid": n + 1, "url": f"https://a.example/{n}/?b=1&a=2"} for n in range(100_000)])`,
      "codegen_model_error",
    ),
    refusedWith: null,
    isSliced: true,
    bound: "contract",
  },
];
