import { SaxesParser } from "saxes";

import { exactly, textFile, type Check } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

const visitors: Readonly<Record<string, number>> = {
  Mon: 120,
  Tue: 85,
  Wed: 97,
  Thu: 160,
  Fri: 210,
  Sat: 340,
  Sun: 275,
};
const days = Object.keys(visitors);
const HEIGHT = 170;

interface Bar {
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/** One bar for each day, from left to right, as high as its share of the largest value, all on one ground line. */
const chart: Check = (value) => {
  const bars: Bar[] = [];
  const texts: string[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes: { x, y, height, class: kind } }) => {
    if (name === "rect" && kind === "bar") bars.push({ x: Number(x), y: Number(y), height: Number(height) });
  });
  parser.on("text", (text) => texts.push(text.trim()));
  try {
    parser.write(String(value)).close();
  } catch (error) {
    return `it is no XML: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (bars.length !== days.length) return `it has ${String(bars.length)} bars`;
  const ground = (bars[0]?.y ?? NaN) + (bars[0]?.height ?? NaN);
  for (const [index, day] of days.entries()) {
    const { x, y, height } = bars[index] ?? { x: NaN, y: NaN, height: NaN };
    const wanted = ((visitors[day] ?? 0) / 340) * HEIGHT;
    if (!(Math.abs(height - wanted) <= 0.51))
      return `the bar of ${day} is ${String(height)} high and not ${wanted.toFixed(1)}`;
    if (!(Math.abs(y + height - ground) <= 0.51)) return `the bar of ${day} does not stand on the ground`;
    if (index > 0 && !(x > (bars[index - 1]?.x ?? Infinity))) return `the bar of ${day} is not right of the one before`;
    if (!texts.includes(day)) return `it does not name ${day}`;
  }
  return null;
};

const svg = (height: (count: number) => number, names = days): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="280" height="200">${names
    .map((day, n) => {
      const high = height(visitors[day] ?? 0);
      return `<rect class="bar" x="${String(n * 40)}" y="${String(180 - high)}" width="30" height="${String(high)}"/><text x="${String(n * 40)}" y="195">${day}</text>`;
    })
    .join("")}</svg>`;

export const barChart: EvalTask = {
  name: "bar-chart",
  level: 2,
  prompt:
    "Draw these visitors by day as a bar chart: " +
    `${days.map((day) => `${day} ${String(visitors[day])}`).join(", ")}. On which day did more than a quarter of the week's visitors come?`,
  answer: { format: "text", description: "that day as it is written above", is: exactly("Sat") },
  artifacts: {
    "visitors.svg": {
      mime: "image/svg+xml",
      description:
        'an SVG with one <rect class="bar" x y width height> for each day from left to right on a common ground line, and the ' +
        "day below it as <text>; the highest bar is 170 high, the others in proportion",
      is: textFile(chart),
    },
  },
  correct: { answer: "Sat", artifacts: { "visitors.svg": svg((count) => (count / 340) * HEIGHT) } },
  wrong: [
    wrongAnswer("the second highest", "Sun"),
    wrongArtifact(
      "heights as the numbers themselves",
      "visitors.svg",
      svg((count) => count),
    ),
    wrongArtifact(
      "drawn by size",
      "visitors.svg",
      svg(
        (count) => (count / 340) * HEIGHT,
        days.toSorted((a, b) => (visitors[a] ?? 0) - (visitors[b] ?? 0)),
      ),
    ),
    wrongArtifact("an element left open", "visitors.svg", svg((count) => (count / 340) * HEIGHT).replace("</svg>", "")),
  ],
};
