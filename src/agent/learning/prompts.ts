const F = "```";

/** Asks whether the work of a task is worth a skill. The same for every task, so that a recording of it can be replayed. */
export const PROPOSE_TEXT = `The task is done and its answer stands. One question about next time: is something that you did worth a skill?

A skill is Python that later tasks call as skills.<name>(...). Propose one only where it is useful again with other arguments, is more than a line or two, and is not a skill already. In all other cases reply: no skill, and why.

Rules for a skill:
- A module with one function run(...) at top level, with typed parameters, a result type, and a docstring whose first line says what it does.
- What was particular to this task is a parameter, or left out.
- It starts in a clean interpreter: it imports what it needs and knows no name of this task. tools, skills and artifacts are there; tools are called as functions: tools.weather(city="Oslo").
- It returns its result. It does not call final_answer, and does not ask the person.

It is tried once, with arguments that you give. Each call of a tool is answered there with what the same call, with equal arguments, was answered in this task; any other call is refused, and the trial fails. So choose arguments with which it makes calls that this task made.

Reply with two blocks and nothing else:
${F}python
def run(city: str) -> str:
    """Tell what to wear in a city today."""
    ...
${F}
${F}json
{"name": "what_to_wear", "arguments": {"city": "Oslo"}, "reason": "One sentence: when it is of use."}
${F}`;

/** Tells what is wrong with a proposal, and asks for another. */
export function repairText(problems: readonly string[]): string {
  return `The skill is not saved, because it did not pass its check:
${problems.map((problem) => `- ${problem.replaceAll("\n", "\n  ")}`).join("\n")}

Reply with both blocks again, corrected and whole, or with: no skill. There is no further try.`;
}
