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

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Bar extends Place {
  readonly width: number;
  readonly height: number;
}

interface Label extends Place {
  text: string;
}

interface Drawing {
  readonly bars: readonly Bar[];
  readonly labels: readonly Label[];
  /** What is seen of the plane. */
  readonly picture: Bar;
}

/** One bar for each day, from left to right, as high as its share of the largest value, all on one ground line. */
const chart: Check = (value) => {
  let drawn: Drawing;
  try {
    drawn = readDrawing(String(value));
  } catch (error) {
    return `it is no drawing: ${error instanceof Error ? error.message : String(error)}`;
  }
  const { bars, labels, picture } = drawn;
  if (bars.length !== days.length) return `it has ${String(bars.length)} bars`;
  const ground = (bars[0]?.y ?? NaN) + (bars[0]?.height ?? NaN);
  let end = -Infinity;
  for (const [index, day] of days.entries()) {
    const bar = bars[index] ?? { x: NaN, y: NaN, width: NaN, height: NaN };
    const { x, y, width, height } = bar;
    const wanted = ((visitors[day] ?? 0) / 340) * HEIGHT;
    if (!(Math.abs(height - wanted) <= 0.51))
      return `the bar of ${day} is ${String(height)} high and not ${wanted.toFixed(1)}`;
    if (!(width > 0)) return `the bar of ${day} is ${String(width)} wide`;
    if (!(Math.abs(y + height - ground) <= 0.51)) return `the bar of ${day} does not stand on the ground`;
    if (!(x >= end - 0.01)) return `the bar of ${day} is not right of the one before`;
    if (!isWithin(picture, bar)) return `the bar of ${day} is not within the picture`;
    end = x + width;
    const below = labels.filter((label) => label.x >= x - 0.01 && label.x <= end + 0.01 && label.y >= ground);
    const named = below
      .map((label) => ({ ...label, text: label.text.trim() }))
      .filter(({ text }) => days.includes(text));
    if (named.map(({ text }) => text).join() !== day)
      return `below the bar of ${day} stands ${named.map(({ text }) => text).join(", ") || "no day"}`;
    if (!named.every((label) => isWithin(picture, { ...label, width: 0, height: 0 })))
      return `the label of ${day} is not within the picture`;
  }
  return null;
};

function isWithin(picture: Bar, { x, y, width, height }: Bar): boolean {
  const isIn = (low: number, high: number, from: number, length: number): boolean =>
    low >= from - 0.51 && high <= from + length + 0.51;
  return isIn(x, x + width, picture.x, picture.width) && isIn(y, y + height, picture.y, picture.height);
}

/** By these a bar or a label may be there and not be seen, which its numbers do not tell. */
const HIDING = /^(style|display|visibility|opacity|fill-opacity|clip-path|mask|filter|preserveAspectRatio|textLength)$/;
const RESTYLING = ["style", "script", "set", "animate", "animateTransform", "animateMotion"];

/** What is drawn: not what stands in <defs>, and no <desc> or <title>. */
function readDrawing(source: string): Drawing {
  const bars: Bar[] = [];
  const labels: Label[] = [];
  let picture: Bar = { x: 0, y: 0, width: NaN, height: NaN };
  const open: { readonly name: string; readonly origin: Place; readonly fill: string; readonly label: Label | null }[] =
    [];
  const isDrawn = (): boolean => open.slice(1).every(({ name }) => name === "g");
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    const { x = "0", y = "0", width = "", height = "", class: kind, xmlns } = attributes;
    if (open.length === 0) {
      if (name !== "svg" || xmlns !== "http://www.w3.org/2000/svg")
        throw new TypeError(`its root is <${name}> of ${xmlns ?? "no namespace"}`);
      picture = pictureOf(attributes);
    }
    if (RESTYLING.includes(name)) throw new TypeError(`it has <${name}>`);
    const parent = open.at(-1);
    const fill = attributes.fill ?? parent?.fill ?? "black";
    const origin = moved(parent?.origin ?? { x: 0, y: 0 }, { name, ...attributes });
    const place = { x: origin.x + Number(x), y: origin.y + Number(y) };
    const isInLabel = (parent?.label ?? null) !== null;
    const isLabel = isDrawn() && name === "text";
    const isBar = isDrawn() && name === "rect" && kind === "bar";
    const within = isLabel || isBar || name === "g" || open.length === 0 || isInLabel;
    const hiding = within ? Object.keys(attributes).find((key) => HIDING.test(key)) : undefined;
    if (hiding !== undefined) throw new TypeError(`<${name}> has the attribute ${hiding}`);
    if ((isLabel || isBar || isInLabel) && /^(none|transparent)$/.test(fill.trim()))
      throw new TypeError(`<${name}> is not filled`);
    if (parseFloat(attributes["font-size"] ?? "12") < 4)
      throw new TypeError(`<${name}> has letters that are too small`);
    const label = isLabel ? { ...place, text: "" } : null;
    if (label !== null) labels.push(label);
    if (isBar) bars.push({ ...place, width: Number(width), height: Number(height) });
    open.push({ name, origin, fill, label });
  });
  parser.on("closetag", () => open.pop());
  parser.on("text", (text) => {
    const label = open.findLast(({ name }) => name !== "tspan")?.label ?? null;
    if (label !== null) label.text += text;
  });
  parser.write(source).close();
  return { bars, labels, picture };
}

/** What of the plane is seen: the viewBox, or without one the size from the origin on. */
function pictureOf({ viewBox, width = "", height = "" }: Readonly<Record<string, string>>): Bar {
  const size = viewBox === undefined ? ["0", "0", width, height] : viewBox.trim().split(/[\s,]+/);
  const [x = NaN, y = NaN, wide = NaN, high = NaN] = size.map((number) => parseFloat(number));
  if (!(wide > 0 && high > 0)) throw new TypeError("it does not say how large it is");
  return { x, y, width: wide, height: high };
}

/** Where the coordinates of an element begin. A label may be turned; what else is turned or scaled cannot be measured. */
function moved(origin: Place, { name, transform = "" }: { readonly name: string; readonly transform?: string }): Place {
  const [move, x = "0", y = "0"] = /^\s*translate\(\s*([-+.\de]+)(?:[\s,]+([-+.\de]+))?\s*\)/.exec(transform) ?? [""];
  if (name !== "text" && transform.slice(move.length).trim() !== "") {
    throw new TypeError(`<${name}> has the transform ${transform}`);
  }
  return { x: origin.x + Number(x), y: origin.y + Number(y) };
}

const inProportion = (count: number): number => (count / 340) * HEIGHT;
const svg = (height: (count: number) => number, names = days, labels = names): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="280" height="200">${names
    .map((day, n) => {
      const high = height(visitors[day] ?? 0);
      return `<rect class="bar" x="${String(n * 40)}" y="${String(180 - high)}" width="30" height="${String(high)}"/><text x="${String(n * 40)}" y="195">${labels[n] ?? ""}</text>`;
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
        "day below it as <text>; the highest bar is 170 high, the others in proportion; all of it within the viewBox (or the " +
        "width and height) and filled, without style, opacity, clips, filters and animation",
      is: textFile(chart),
    },
  },
  correct: { answer: "Sat", artifacts: { "visitors.svg": svg(inProportion) } },
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
        inProportion,
        days.toSorted((a, b) => (visitors[a] ?? 0) - (visitors[b] ?? 0)),
      ),
    ),
    wrongArtifact("the labels from right to left", "visitors.svg", svg(inProportion, days, days.toReversed())),
    wrongArtifact(
      "the days only described",
      "visitors.svg",
      svg(inProportion).replaceAll("<text", "<desc").replaceAll("</text", "</desc"),
    ),
    wrongArtifact(
      "a description within every label, and nothing else",
      "visitors.svg",
      svg(inProportion).replace(/>(\w+)<\/text>/g, "><title>$1</title></text>"),
    ),
    wrongArtifact(
      "all labels in one corner",
      "visitors.svg",
      svg(inProportion).replace(/<text x="\d+"/g, '<text x="0"'),
    ),
    wrongArtifact("the labels above the bars", "visitors.svg", svg(inProportion).replaceAll('y="195"', 'y="5"')),
    wrongArtifact("bars without width", "visitors.svg", svg(inProportion).replaceAll('width="30"', 'width="0"')),
    wrongArtifact("bars that overlap", "visitors.svg", svg(inProportion).replaceAll('width="30"', 'width="60"')),
    wrongArtifact(
      "bars that are only defined and never drawn",
      "visitors.svg",
      svg(inProportion).replace(/(<rect.*)<\/svg>/, "<defs>$1</defs></svg>"),
    ),
    ...['display="none"', 'visibility="hidden"', 'opacity="0"', 'style="display:none"', 'fill="none"'].flatMap(
      (hidden) => [
        wrongArtifact(`bars with ${hidden}`, "visitors.svg", svg(inProportion).replaceAll("<rect", `<rect ${hidden}`)),
        wrongArtifact(
          `all of it in a group with ${hidden}`,
          "visitors.svg",
          svg(inProportion).replace(/(<rect.*)<\/svg>/, `<g ${hidden}>$1</g></svg>`),
        ),
      ],
    ),
    wrongArtifact(
      "bars hidden by a style sheet",
      "visitors.svg",
      svg(inProportion).replace("<rect", "<style>.bar { display: none }</style><rect"),
    ),
    wrongArtifact(
      "labels in letters of no size",
      "visitors.svg",
      svg(inProportion).replaceAll("<text", '<text font-size="0"'),
    ),
    ...["5000,5000", "0,-60", "-20", "0,15"].map((place) =>
      wrongArtifact(
        `moved out of the picture by ${place}`,
        "visitors.svg",
        svg(inProportion).replace(/(<rect.*)<\/svg>/, `<g transform="translate(${place})">$1</g></svg>`),
      ),
    ),
    wrongArtifact("of no size", "visitors.svg", svg(inProportion).replace(' width="280" height="200"', "")),
    wrongArtifact(
      "a view that shows the first bars alone",
      "visitors.svg",
      svg(inProportion).replace('height="200"', 'height="200" viewBox="0 0 140 200"'),
    ),
    wrongArtifact(
      "twice as high by a transform",
      "visitors.svg",
      svg(inProportion).replace(/(<rect.*)<\/svg>/, '<g transform="scale(1,2)">$1</g></svg>'),
    ),
    wrongArtifact("no SVG", "visitors.svg", svg(inProportion).replace(/ xmlns="[^"]+"/, "")),
    wrongArtifact("an element left open", "visitors.svg", svg(inProportion).replace("</svg>", "")),
  ],
};
