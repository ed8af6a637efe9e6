import { csvFile, csvText, exactly } from "../../checks.js";
import { readCsv } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import requests from "./requests.csv?raw";

interface Talk {
  readonly title: string;
  readonly start: string;
  readonly end: string;
}

const talks = readCsv(requests).map(({ title = "", start = "", end = "" }): Talk => ({ title, start, end }));

/** Each talk, by start, goes into the free room with the lowest number. */
function assign(touching: boolean): { talk: Talk; room: number }[] {
  const freeAt: string[] = [];
  return talks
    .toSorted((a, b) => (a.start + a.end < b.start + b.end ? -1 : 1))
    .map((talk) => {
      const free = freeAt.findIndex((time) => (touching ? time <= talk.start : time < talk.start));
      const room = free < 0 ? freeAt.length : free;
      freeAt[room] = talk.end;
      return { talk, room: room + 1 };
    });
}

const rows = (plan: ReturnType<typeof assign>): (string | number)[][] => [
  ["start", "end", "room", "title"],
  ...plan.map(({ talk: { title, start, end }, room }) => [start, end, room, title]),
];
const rooms = (plan: ReturnType<typeof assign>): number => Math.max(...plan.map(({ room }) => room));
const plan = assign(true);

export const roomSchedule: EvalTask = {
  name: "room-schedule",
  level: 3,
  prompt:
    "/workspace/requests.csv lists talks with start and end. Give each a room: go through them by start (equal starts: the one " +
    "that ends first is first), and put each into the free room with the lowest number, counted from 1. A room is free again " +
    "in the minute in which a talk ends. How many rooms does it take?",
  files: { "requests.csv": requests },
  answer: { format: "json", description: "a number", is: exactly(rooms(plan)) },
  artifacts: {
    "plan.csv": {
      mime: "text/csv",
      description: "columns start,end,room,title in the order in which rooms were given",
      is: csvFile(rows(plan)),
    },
  },
  correct: { answer: rooms(plan), artifacts: { "plan.csv": csvText(rows(plan)) } },
  wrong: [
    wrongAnswer("a room taken in the minute in which a talk ends", rooms(assign(false))),
    wrongArtifact("a room taken in the minute in which a talk ends", "plan.csv", csvText(rows(assign(false)))),
  ],
};
