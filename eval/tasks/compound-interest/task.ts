import { exactly } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

/** In cents: interest of a month is rounded to the cent, halves to the even one. */
function balance(cents: bigint, months: number): bigint {
  for (let month = 0; month < months; month++) {
    const [whole, rest] = [(cents * 275n) / 120_000n, (cents * 275n) % 120_000n];
    const up = rest > 60_000n || (rest === 60_000n && whole % 2n === 1n);
    cents += whole + (up ? 1n : 0n);
  }
  return cents;
}

const end = Number(balance(1_250_000n, 36)) / 100;

export const compoundInterest: EvalTask = {
  name: "compound-interest",
  level: 1,
  prompt:
    "12,500.00 EUR earn 2.75 % a year. A twelfth of that is credited every month on the balance so far, rounded to the cent " +
    "(halves to the even cent). What is the balance after 36 months?",
  answer: { format: "json", description: "the balance in EUR, a number with two decimals", is: exactly(end, 0.001) },
  artifacts: {},
  correct: { answer: end, artifacts: {} },
  wrong: [
    wrongAnswer("credited once a year", Math.round(12_500 * 1.0275 ** 3 * 100) / 100),
    wrongAnswer("one month too many", Number(balance(1_250_000n, 37)) / 100),
    wrongArtifact("a table that nobody asked for", "balance.csv", "month,balance\n36,0\n"),
  ],
};
