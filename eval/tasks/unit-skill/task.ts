import { csvFile, csvText, exactly } from "../../checks.js";
import { readCsv } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import skill from "./to_metric.py?raw";

const stores = `item,amount,unit
rope,120,fathom
anchor chain,2,cable
sailcloth,64,yd
nails,25,lb
caulk,40,oz
plank,14,ft
`;
/** As the skill has them; a fathom of the house is not the usual one. */
const FACTORS: Readonly<Record<string, readonly [number, string]>> = {
  fathom: [1.852, "m"],
  cable: [185.2, "m"],
  yd: [0.9144, "m"],
  lb: [0.45359237, "kg"],
  oz: [0.028349523125, "kg"],
  ft: [0.3048, "m"],
};

function metric(factors: typeof FACTORS): { item: string; amount: number; unit: string }[] {
  return readCsv(stores).map(({ item = "", amount, unit: from = "" }) => {
    const [factor, unit] = factors[from] ?? [NaN, ""];
    return { item, amount: Number(amount) * factor, unit };
  });
}

const rows = (factors: typeof FACTORS): string[][] => [
  ["item", "amount", "unit"],
  ...metric(factors).map(({ item, amount, unit }) => [item, amount.toFixed(2), unit]),
];
const exactLength = (factors: typeof FACTORS): number =>
  metric(factors)
    .filter(({ unit }) => unit === "m")
    .reduce((sum, { amount }) => sum + amount, 0);
const length = (factors: typeof FACTORS): number => Math.round(exactLength(factors) * 100) / 100;
const usual = { ...FACTORS, fathom: [1.8288, "m"] as const };

export const unitSkill: EvalTask = {
  name: "unit-skill",
  level: 2,
  prompt:
    "/workspace/stores.csv lists stores in old units. The house has its own values for some of them: convert with the skill " +
    "to_metric. How many metres do all lengths come to?",
  files: { "stores.csv": stores },
  seeds: [{ file: "skills/to_metric.py", text: skill }],
  answer: { format: "json", description: "metres, a number with two decimals", is: exactly(length(FACTORS), 0.001) },
  artifacts: {
    "metric.csv": {
      mime: "text/csv",
      description: "columns item,amount,unit in the order of the file, amounts with two decimals, units m or kg",
      is: csvFile(rows(FACTORS)),
    },
  },
  correct: { answer: length(FACTORS), artifacts: { "metric.csv": csvText(rows(FACTORS)) } },
  wrong: [
    wrongAnswer("the usual fathom of 1.8288 m", length(usual)),
    wrongAnswer("not rounded", exactLength(FACTORS)),
    wrongArtifact("the usual fathom of 1.8288 m", "metric.csv", csvText(rows(usual))),
  ],
};
