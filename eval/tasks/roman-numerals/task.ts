import { csvFile, csvText, exactly } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

const DIGITS: readonly (readonly [string, number])[] = [
  ["M", 1000],
  ["CM", 900],
  ["D", 500],
  ["CD", 400],
  ["C", 100],
  ["XC", 90],
  ["L", 50],
  ["XL", 40],
  ["X", 10],
  ["IX", 9],
  ["V", 5],
  ["IV", 4],
  ["I", 1],
];

function roman(number: number, digits = DIGITS): string {
  let text = "";
  for (const [digit, value] of digits) {
    while (number >= value) {
      text += digit;
      number -= value;
    }
  }
  return text;
}

const years = [1453, 1492, 1666, 1789, 1848, 1888, 1914, 1969, 1994, 2026];
const rows = [["year", "roman"], ...years.map((year) => [year, roman(year)])];
const longest = years.reduce((a, b) => (roman(b).length > roman(a).length ? b : a));

export const romanNumerals: EvalTask = {
  name: "roman-numerals",
  level: 1,
  prompt: `Write these years as Roman numerals: ${years.join(", ")}. Which of them has the longest numeral?`,
  answer: { format: "json", description: "that year, a number", is: exactly(longest) },
  artifacts: {
    "years.csv": { mime: "text/csv", description: "columns year,roman in the order given", is: csvFile(rows) },
  },
  correct: { answer: longest, artifacts: { "years.csv": csvText(rows) } },
  wrong: [
    wrongAnswer("the latest year", 2026),
    wrongArtifact(
      "without subtraction: CCCC for CD",
      "years.csv",
      csvText([
        ["year", "roman"],
        ...years.map((year) => [
          year,
          roman(
            year,
            DIGITS.filter(([digit]) => digit.length === 1),
          ),
        ]),
      ]),
    ),
  ],
};
