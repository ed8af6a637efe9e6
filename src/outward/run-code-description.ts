import type { TrustLevel } from "../protocol/index.js";

const INTERPRETERS: Readonly<Record<TrustLevel, string>> = {
  sandboxed: "a sealed interpreter",
  isolated: "an isolated interpreter",
  local: "an interpreter",
};

const SEALED = "There is no network and no file outside of /workspace except through tools.";
const OPEN = "The code reaches the network as the page does, and no file outside of /workspace except through tools.";

/** The description of `run_code` for a foreign model, in a session of that trust level. */
export function runCodeDescription(trust: TrustLevel): string {
  return `Runs Python in ${INTERPRETERS[trust]} of a web page and answers with the value of the last expression and what was printed. Variables stay between runs.

The code finds these names:
- tools: what it can call. tools.search("…") and tools.list() say what there is, tools.<name>.<recipe>(argument=…) calls it.
- skills: saved Python. skills.search("…"), then skills.<name>(…); skills.create(name, source) saves.
- artifacts: artifacts.save(name, data), artifacts.load(name), for what is to stay.
- deps: deps.add("package") installs a Python package.

Look first whether a skill does the work. If none does, solve the task with tools, in one run where that is possible, and print little. Save what will be wanted again as a skill whose source defines run(…).

${trust === "local" ? OPEN : SEALED} A person may be asked before a call is made.`;
}
