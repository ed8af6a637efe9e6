import { csvFile, csvText, exactly } from "../../checks.js";
import { groupBy } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import log from "./service.log?raw";

const errors = [...log.matchAll(/^\S+T(\d\d):\S+ ERROR +\[(\w+)\] failed code=(\w+)/gm)].map(
  ([, hour = "", service = "", code = ""]) => ({ hour, service, code }),
);
const table = (lines: typeof errors): (string | number)[][] => [
  ["hour", "service", "errors"],
  ...[...groupBy(lines, ({ hour, service }) => `${hour} ${service}`)]
    .map(([key, all]): [string, number] => [key, all.length])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, count]) => [...key.split(" "), count]),
];
const codes = [...groupBy(errors, ({ code }) => code)].sort(([, a], [, b]) => b.length - a.length);
const [first, second] = codes.map(([code, all]) => ({ code, count: all.length }));

export const logErrors: EvalTask = {
  name: "log-errors",
  level: 3,
  prompt:
    "/workspace/service.log has entries with a level, and lines of stack traces between them. Count the entries of level " +
    "ERROR by hour and service. Which error code is the most frequent?",
  files: { "service.log": log },
  answer: { format: "json", description: '{"code", "count"}', is: exactly(first ?? null) },
  artifacts: {
    "errors.csv": {
      mime: "text/csv",
      description:
        "columns hour,service,errors: hours as two digits, by hour, then by service; only where there were errors",
      is: csvFile(table(errors)),
    },
  },
  correct: { answer: first ?? null, artifacts: { "errors.csv": csvText(table(errors)) } },
  wrong: [
    wrongAnswer("the second most frequent", second ?? null),
    wrongAnswer("all errors counted", { code: first?.code ?? "", count: errors.length }),
    wrongArtifact(
      "every line that says ERROR, warnings included",
      "errors.csv",
      csvText(
        table(
          [...log.matchAll(/^\S+T(\d\d):\S+ \w+ +\[(\w+)\].*ERROR|^\S+T(\d\d):\S+ ERROR +\[(\w+)\]/gm)].map(
            ([, h, s, h2, s2]) => ({ hour: h ?? h2 ?? "", service: s ?? s2 ?? "", code: "" }),
          ),
        ),
      ),
    ),
  ],
};
