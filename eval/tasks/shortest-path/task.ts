import { exactly, jsonFile } from "../../checks.js";
import { readCsv } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import roads from "./roads.csv?raw";

const edges = readCsv(roads).flatMap(({ from = "", to = "", minutes, oneway }) => {
  const time = Number(minutes);
  return oneway === "yes"
    ? [{ from, to, time }]
    : [
        { from, to, time },
        { from: to, to: from, time },
      ];
});

/** All ways without a repetition are walked: there are few. */
function best(
  cost: (edge: { time: number }) => number,
  path: readonly string[] = ["Ahorn"],
): { path: readonly string[]; cost: number } {
  const here = path.at(-1);
  if (here === "Zeder") return { path, cost: 0 };
  return edges
    .filter(({ from, to }) => from === here && !path.includes(to))
    .map((edge) => {
      const rest = best(cost, [...path, edge.to]);
      return { path: rest.path, cost: rest.cost + cost(edge) };
    })
    .reduce((a, b) => (b.cost < a.cost ? b : a), { path: [] as readonly string[], cost: Infinity });
}

const fastest = best(({ time }) => time);
const fewest = best(() => 1);

export const shortestPath: EvalTask = {
  name: "shortest-path",
  level: 2,
  prompt:
    "/workspace/roads.csv lists roads between villages with the minutes they take; those with oneway=yes go from `from` to " +
    "`to` only. What is the fastest way from Ahorn to Zeder?",
  files: { "roads.csv": roads },
  answer: { format: "json", description: "its minutes, a number", is: exactly(fastest.cost) },
  artifacts: {
    "route.json": {
      mime: "application/json",
      description: "the list of villages in order, both ends included",
      is: jsonFile(exactly(fastest.path)),
    },
  },
  correct: { answer: fastest.cost, artifacts: { "route.json": JSON.stringify(fastest.path) } },
  wrong: [
    wrongAnswer("the number of roads", fewest.cost),
    wrongArtifact("the way with the fewest roads", "route.json", JSON.stringify(fewest.path)),
    wrongArtifact("the way back", "route.json", JSON.stringify(fastest.path.toReversed())),
  ],
};
