import { z } from "zod";

import { functionTool } from "../../../src/tools/index.js";
import { csvFile, csvText, exactly } from "../../checks.js";
import { between, numbers } from "../../data.js";
import { wrongAnswer, wrongArtifact, wrongEffects, type EvalTask } from "../../task.js";

const random = numbers(21);
const readings = Array.from({ length: 12 }, (_, hour) => ({
  hour,
  celsius: Math.round((14 + 6 * Math.sin((hour - 3) / 2) + random()) * 10) / 10,
  /** How often the sensor fails before it answers; the one of hour 9 never does. */
  failures: hour === 9 ? Infinity : between(0, 3, random) % 3,
}));
const answered = readings.filter(({ failures }) => failures < 10);
const rows = [["hour", "celsius"], ...answered.map(({ hour, celsius }) => [hour, celsius.toFixed(1)])];
const warmest = answered.reduce((a, b) => (b.celsius > a.celsius ? b : a)).hour;
const answer = { warmest, missing: [9] };

export const flakySensor: EvalTask = {
  name: "flaky-sensor",
  level: 3,
  prompt:
    "Read the sensor for the hours 0 to 11. It fails now and then: ask again, up to four times for an hour in all; an hour " +
    "that has not answered by then is missing. Which hour was the warmest?",
  world: () => {
    const asked = new Map<number, number>();
    return {
      tools: [
        functionTool({
          name: "sensor",
          description: "The temperature of an hour, as {hour, celsius}. Fails now and then with BUSY.",
          input: z.object({ hour: z.int().min(0).max(11) }),
          hints: { readOnly: true },
          run: ({ hour }) => {
            const times = (asked.get(hour) ?? 0) + 1;
            asked.set(hour, times);
            const reading = readings[hour];
            if (reading === undefined || times <= reading.failures) throw new Error("BUSY");
            return { hour, celsius: reading.celsius };
          },
        }),
      ],
      effects: () => ({ mostAsked: Math.max(0, ...asked.values()), missingAsked: asked.get(9) ?? 0 }),
    };
  },
  answer: { format: "json", description: '{"warmest": hour, "missing": [hours]}', is: exactly(answer) },
  artifacts: {
    "readings.csv": {
      mime: "text/csv",
      description: "columns hour,celsius (one decimal) by hour, without missing hours",
      is: csvFile(rows),
    },
  },
  effects: exactly({ mostAsked: 4, missingAsked: 4 }),
  correct: { answer, artifacts: { "readings.csv": csvText(rows) }, effects: { mostAsked: 4, missingAsked: 4 } },
  wrong: [
    wrongAnswer("nothing said of the missing hour", { warmest, missing: [] }),
    wrongArtifact(
      "only hours that answered at once",
      "readings.csv",
      csvText(rows.filter((_, n) => n === 0 || answered[n - 1]?.failures === 0)),
    ),
    wrongArtifact(
      "a gap filled with 0.0",
      "readings.csv",
      csvText([...rows.slice(0, 10), [9, "0.0"], ...rows.slice(10)]),
    ),
    wrongEffects("asked until it answers, ten times", { mostAsked: 10, missingAsked: 10 }),
    wrongEffects("given up after the first failure", { mostAsked: 4, missingAsked: 1 }),
  ],
};
