import { csvFile, csvText, exactly } from "../../checks.js";
import { readCsv } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import meetings from "./meetings.csv?raw";

const list = readCsv(meetings)
  .map(({ title = "", start = "", minutes }) => {
    const begin = Date.parse(start);
    return { title, start, begin, end: begin + Number(minutes) * 60_000 };
  })
  .sort((a, b) => a.begin - b.begin);
const utc = (time: number): string => new Date(time).toISOString().slice(0, 16);
const rows = [["title", "start", "end"], ...list.map(({ title, begin, end }) => [title, utc(begin), utc(end)])];
const overlaps = list.flatMap((one, index) =>
  list.slice(index + 1).flatMap((other) => (other.begin < one.end ? [[one.title, other.title].sort()] : [])),
);
const pairs = overlaps.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));

export const timeZones: EvalTask = {
  name: "time-zones",
  level: 2,
  prompt:
    "/workspace/meetings.csv lists meetings of one person, each in the local time of its place. Put them into UTC. Which of " +
    "them overlap? Meetings that only touch do not.",
  files: { "meetings.csv": meetings },
  answer: {
    format: "json",
    description: "a list of pairs [title, title], each pair and the list by alphabet",
    is: exactly(pairs),
  },
  artifacts: {
    "utc.csv": {
      mime: "text/csv",
      description: "columns title,start,end by start, as 2026-03-05T08:30 in UTC",
      is: csvFile(rows),
    },
  },
  correct: { answer: pairs, artifacts: { "utc.csv": csvText(rows) } },
  wrong: [
    wrongAnswer("none, because the local times differ", []),
    wrongArtifact(
      "local times kept",
      "utc.csv",
      csvText([rows[0] ?? [], ...list.map(({ title, start, end }) => [title, start.slice(0, 16), utc(end)])]),
    ),
  ],
};
