import { exactly, jsonFile } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

const items: readonly (readonly [string, number, number])[] = [
  ["tent", 2300, 95],
  ["stove", 700, 52],
  ["fuel", 450, 30],
  ["rope", 1600, 60],
  ["camera", 980, 66],
  ["lantern", 520, 34],
  ["books", 1250, 41],
  ["tarp", 900, 58],
  ["kettle", 610, 25],
  ["axe", 1350, 70],
  ["drone", 1890, 88],
  ["first aid", 640, 62],
];
const LIMIT = 6700;

interface Pack {
  readonly names: readonly string[];
  readonly weight: number;
  readonly value: number;
}

const pack = (chosen: readonly (readonly [string, number, number])[]): Pack => ({
  names: chosen.map(([name]) => name).sort(),
  weight: chosen.reduce((sum, [, weight]) => sum + weight, 0),
  value: chosen.reduce((sum, [, , value]) => sum + value, 0),
});

/** Every choice is tried: the data are such that one is best. */
let best = pack([]);
for (let bits = 0; bits < 2 ** items.length; bits++) {
  const tried = pack(items.filter((_, n) => (bits >> n) % 2 === 1));
  if (tried.weight <= LIMIT && tried.value > best.value) best = tried;
}

/** The best value for its weight first, as long as it fits. */
const greedy = pack(
  items
    .toSorted((a, b) => b[2] / b[1] - a[2] / a[1])
    .reduce<(readonly [string, number, number])[]>(
      (chosen, item) => (pack([...chosen, item]).weight <= LIMIT ? [...chosen, item] : chosen),
      [],
    ),
);
const heaviest = pack(items.toSorted((a, b) => b[2] - a[2]).slice(0, 3));

export const backpack: EvalTask = {
  name: "backpack",
  level: 2,
  prompt:
    `A backpack holds ${String(LIMIT)} g. Choose the things with the highest value together, each at most once ` +
    `(grams, value): ${items.map(([name, weight, value]) => `${name} (${String(weight)}, ${String(value)})`).join("; ")}.`,
  answer: { format: "json", description: "the highest value, a number", is: exactly(best.value) },
  artifacts: {
    "pack.json": {
      mime: "application/json",
      description: '{"items": names by alphabet, "grams": their weight}',
      is: jsonFile(exactly({ items: best.names, grams: best.weight })),
    },
  },
  correct: {
    answer: best.value,
    artifacts: { "pack.json": JSON.stringify({ items: best.names, grams: best.weight }) },
  },
  wrong: [
    wrongAnswer("by the best value for the weight", greedy.value),
    wrongArtifact(
      "by the best value for the weight",
      "pack.json",
      JSON.stringify({ items: greedy.names, grams: greedy.weight }),
    ),
    wrongArtifact(
      "the most valuable things",
      "pack.json",
      JSON.stringify({ items: heaviest.names, grams: heaviest.weight }),
    ),
  ],
};
