import { evalProjects, type Project } from "../projects/index.js";
import { wrongAnswer, type EvalTask } from "../task.js";

/** The projects as tasks. What is asked for beside the answer is that the project's checker accepts what became of it. */
export const projectTasks: readonly EvalTask[] = evalProjects.map(projectTask);

function projectTask(project: Project): EvalTask {
  const { name, prompt, files } = project;
  return {
    name,
    // To look around, read, run the tests, patch and run them again: ten calls, if all goes well.
    level: 5,
    prompt,
    project,
    files: Object.fromEntries(files),
    answer: {
      format: "text",
      description: "what was wrong, and what you changed, in a few sentences.",
      is: (answer) => (answer === "" || answer === "null" ? "it says nothing" : null),
    },
    artifacts: {},
    correct: { answer: "The cause, and what was changed.", artifacts: {} },
    wrong: [wrongAnswer("nothing is said", " "), wrongAnswer("there is none", null)],
  };
}
