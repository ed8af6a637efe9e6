import { exactly, jsonFile } from "../../checks.js";
import { numbers } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

const random = numbers(5);
const values = Array.from({ length: 40 }, (_, n) => {
  const usual = 20 + (random() + random() + random() - 1.5) * 4;
  return Math.round((n % 13 === 7 ? usual + 15 * (n % 2 === 0 ? 1 : -1) : usual) * 100) / 100;
});
const sorted = values.toSorted((a, b) => a - b);

/** The value at a share of the way, between its neighbours in proportion. */
function quantile(share: number): number {
  const place = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)] ?? NaN, sorted[Math.ceil(place)] ?? NaN];
  return low + (high - low) * (place - Math.floor(place));
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
const [q1, q3] = [quantile(0.25), quantile(0.75)];
const outliers = sorted.filter((value) => value < q1 - 1.5 * (q3 - q1) || value > q3 + 1.5 * (q3 - q1));
const facts = {
  mean: round(mean),
  median: round(quantile(0.5)),
  stdev: round(Math.sqrt(squares / 39)),
  q1: round(q1),
  q3: round(q3),
};

export const measurementSpread: EvalTask = {
  name: "measurement-spread",
  level: 2,
  prompt:
    "/workspace/values.txt has a measurement in each line. Describe them, and find the outliers: values more than 1.5 times " +
    "the interquartile range below the first or above the third quartile. Quartiles by linear interpolation, both ends " +
    "included (position p·(n−1)); the standard deviation is that of a sample (n−1).",
  files: { "values.txt": `${values.map((value) => value.toFixed(2)).join("\n")}\n` },
  answer: { format: "json", description: "a list of the outliers, smallest first", is: exactly(outliers, 0.001) },
  artifacts: {
    "facts.json": {
      mime: "application/json",
      description: '{"mean", "median", "stdev", "q1", "q3"}, each rounded to three decimals',
      is: jsonFile(exactly(facts)),
    },
  },
  correct: { answer: outliers, artifacts: { "facts.json": JSON.stringify(facts) } },
  wrong: [
    wrongAnswer(
      "only those above",
      outliers.filter((value) => value > mean),
    ),
    wrongArtifact(
      "the standard deviation of a population",
      "facts.json",
      JSON.stringify({ ...facts, stdev: round(Math.sqrt(squares / 40)) }),
    ),
    wrongArtifact(
      "one in the last place too much",
      "facts.json",
      JSON.stringify({ ...facts, stdev: round(facts.stdev + 0.001) }),
    ),
    wrongArtifact(
      "quartiles without interpolation",
      "facts.json",
      JSON.stringify({ ...facts, q1: sorted[10] ?? 0, q3: sorted[30] ?? 0 }),
    ),
  ],
};
