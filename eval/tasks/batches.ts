import { evalBatches, type Batch } from "../batches/index.js";
import { exactly } from "../checks.js";
import { wrongAnswer, type EvalTask } from "../task.js";

/** The batches as tasks. What is asked for beside the answer is that the batch's checker accepts what was written. */
export const batchTasks: readonly EvalTask[] = evalBatches.map(batchTask);

function batchTask(batch: Batch): EvalTask {
  const { name, level, prompt, files, asked } = batch;
  return {
    name,
    level,
    prompt,
    batch,
    files: Object.fromEntries(files),
    answer: {
      format: "json",
      description: "a list of the paths of all files that were written, within /workspace, in alphabetical order.",
      is: exactly(asked),
    },
    artifacts: {},
    correct: { answer: asked, artifacts: {} },
    wrong: [
      wrongAnswer("a file is left out", asked.slice(1)),
      wrongAnswer(
        "paths are those of the whole file system",
        asked.map((path) => `/workspace/${path}`),
      ),
    ],
  };
}
