import { exactly } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

const holidays = ["2026-04-03", "2026-04-06", "2026-05-01", "2026-05-14", "2026-05-25", "2026-06-04", "2026-08-15"];
const DAY = 86_400_000;

function workdays(from: string, to: string, without: readonly string[]): string[] {
  const days: string[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY) {
    const day = new Date(time).toISOString().slice(0, 10);
    if (new Date(time).getUTCDay() % 6 !== 0 && !without.includes(day)) days.push(day);
  }
  return days;
}

const days = workdays("2026-03-02", "2026-09-18", holidays);

export const businessDays: EvalTask = {
  name: "business-days",
  level: 1,
  prompt:
    "How many working days are there from 2026-03-02 to 2026-09-18, both included? Working days are Monday to Friday " +
    `without these holidays: ${holidays.join(", ")}. And which one is the 100th?`,
  answer: {
    format: "json",
    description: '{"days": number, "hundredth": "YYYY-MM-DD"}',
    is: exactly({ days: days.length, hundredth: days[99] ?? "" }),
  },
  artifacts: {},
  correct: { answer: { days: days.length, hundredth: days[99] ?? "" }, artifacts: {} },
  wrong: [
    wrongAnswer("a holiday on a Saturday taken off as well", { days: days.length - 1, hundredth: days[99] ?? "" }),
    wrongAnswer("counted from 0", { days: days.length, hundredth: days[100] ?? "" }),
    wrongArtifact("a list that nobody asked for", "days.txt", days.join("\n")),
  ],
};
