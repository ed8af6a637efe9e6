import { z } from "zod";

import { functionTool } from "../../../src/tools/index.js";
import { csvFile, csvText, exactly } from "../../checks.js";
import { between, numbers } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

const random = numbers(8);
const names = [
  "Oslo",
  "Bergen",
  "Turku",
  "Tallinn",
  "Riga",
  "Gdansk",
  "Kiel",
  "Malmo",
  "Aarhus",
  "Lund",
  "Visby",
  "Umea",
  "Narvik",
  "Tromso",
];
const cities = names.map((city) => ({
  city,
  high: between(-4, 14, random),
  low: between(-15, -5, random),
  unit: random() < 0.3 ? "F" : "C",
}));

/** What the service says: some stations measure in Fahrenheit. */
const said = cities.map(({ city, high, low, unit }) => {
  const shown = (celsius: number): number => (unit === "F" ? (celsius * 9) / 5 + 32 : celsius);
  return { city, high: shown(high), low: shown(low), unit };
});
const spans = (list: readonly { city: string; high: number; low: number }[]): [string, number][] =>
  list
    .map(({ city, high, low }): [string, number] => [city, high - low])
    .sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1));
const rows = (list: readonly [string, number][]): (string | number)[][] => [
  ["city", "span"],
  ...list.map(([city, span]) => [city, span.toFixed(1)]),
];
const [widest = ["", 0]] = spans(cities);
const coldest = cities.reduce((a, b) => (b.low < a.low ? b : a));

export const weatherFanOut: EvalTask = {
  name: "weather-fan-out",
  level: 3,
  prompt:
    `Ask the weather of these cities, several at a time, for each answer takes a while: ${names.join(", ")}. Some stations ` +
    "measure in Fahrenheit, most in Celsius. In which city do highest and lowest temperature lie farthest apart?",
  world: () => ({
    tools: [
      functionTool({
        name: "weather",
        description:
          "Highest and lowest temperature of a city today, as {city, high, low, unit}, where unit is C or F.",
        input: z.object({ city: z.string() }),
        hints: { readOnly: true },
        run: async ({ city }) => {
          const found = said.find((each) => each.city === city);
          await new Promise((resolve) => setTimeout(resolve, 40));
          if (found === undefined) throw new Error(`There is no station in ${city}.`);
          return found;
        },
      }),
    ],
  }),
  answer: { format: "text", description: "the name of that city", is: exactly(widest[0]) },
  artifacts: {
    "spans.csv": {
      mime: "text/csv",
      description:
        "columns city,span: highest minus lowest in degrees Celsius with one decimal, largest first, then by city",
      is: csvFile(rows(spans(cities))),
    },
  },
  correct: { answer: widest[0], artifacts: { "spans.csv": csvText(rows(spans(cities))) } },
  wrong: [
    wrongAnswer("the coldest city", coldest.city),
    wrongArtifact("Fahrenheit left as it is", "spans.csv", csvText(rows(spans(said)))),
    wrongArtifact("by name", "spans.csv", csvText(rows(spans(cities).toSorted(([a], [b]) => (a < b ? -1 : 1))))),
  ],
};
