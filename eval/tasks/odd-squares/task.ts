import { exactly } from "../../checks.js";
import type { EvalTask } from "../../task.js";

let sum = 0;
for (let n = 1; n < 1000; n += 2) if (n % 3 !== 0) sum += n * n;

export const oddSquares: EvalTask = {
  name: "odd-squares",
  level: 1,
  prompt: "Add up the squares of all odd numbers below 1000 that are not divisible by 3.",
  answer: { format: "json", description: "the sum, a number", is: exactly(sum) },
  artifacts: {},
  correct: { answer: sum, artifacts: {} },
  wrong: [
    {
      mistake: "1000 stands for below 1001, with one number more",
      part: "answer",
      outcome: { answer: sum + 1001 ** 2 },
    },
    {
      mistake: "a result file that nobody asked for",
      part: "artifact",
      outcome: { artifacts: { "sum.txt": String(sum) } },
    },
  ],
};
