import { exactly, markdownFile, markdownTable } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

const files = {
  "notes/2026/january.md": "# January\n\nTODO: order glass\n\nSee [[tides]] and [[ropes]].\n",
  "notes/2026/february.md": "# February\n\nTODO: paint the door\nDONE: order glass\nTODO: call Mira\n",
  "notes/topics/tides.md": "# Tides\n\nHigh at noon. See [[moon]].\n",
  "notes/topics/ropes.md": "# Ropes\n\nA todo in small letters is none. See [[tides]], [[knots]].\n",
  "notes/topics/knots.md": "# Knots and bends\n\n    TODO: indented, counts as well\n",
  "notes/drafts/old.txt": "TODO: not a note, because it is no .md\n",
  "notes/index.md": "# Index\n\n[[tides]] [[ropes]] [[knots]] [[sails]]\n",
};

const notes = Object.entries(files)
  .filter(([path]) => path.endsWith(".md"))
  .sort(([a], [b]) => (a < b ? -1 : 1));
const todos = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const rows = (pattern: RegExp, those: readonly (readonly [string, string])[] = notes): (string | number)[][] => [
  ["file", "title", "todos"],
  ...those.map(([path, text]) => [path.replace("notes/", ""), /^# (.*)/.exec(text)?.[1] ?? "", todos(text, pattern)]),
];
const names = notes.map(([path]) => /(\w+)\.md$/.exec(path)?.[1]);
const broken = [
  ...new Set(notes.flatMap(([, text]) => [...text.matchAll(/\[\[(\w+)\]\]/g)].map(([, name = ""]) => name))),
]
  .filter((name) => !names.includes(name))
  .sort();
const RIGHT = /^\s*TODO:/gm;

export const notesIndex: EvalTask = {
  name: "notes-index",
  level: 3,
  prompt:
    "Below /workspace/notes lie notes, files that end in .md. Make an index of them. [[name]] links to the note name.md in any " +
    "of the folders. Which links lead to a note that is not there?",
  files,
  answer: { format: "json", description: "a list of these names by alphabet, each once", is: exactly(broken) },
  artifacts: {
    "index.md": {
      mime: "text/markdown",
      description:
        "a table with the columns file (path below notes), title (its first heading), todos (lines that begin with TODO:, " +
        "perhaps indented), by path",
      is: markdownFile(rows(RIGHT)),
    },
  },
  correct: { answer: broken, artifacts: { "index.md": markdownTable(rows(RIGHT)) } },
  wrong: [
    wrongAnswer("notes that nobody links to", ["february", "index", "january"]),
    wrongArtifact("todo in any spelling, anywhere", "index.md", markdownTable(rows(/todo/gi))),
    wrongArtifact(
      "files that are no notes listed",
      "index.md",
      markdownTable(
        rows(
          RIGHT,
          Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
      ),
    ),
  ],
};
