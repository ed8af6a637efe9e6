import { csvFile, csvText, exactly } from "../../checks.js";
import { groupBy } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import essay from "./essay.txt?raw";

const words = essay.toLowerCase().match(/[a-z]+(?:'[a-z]+)?/g) ?? [];

function most(list: readonly string[]): [string, number][] {
  const counts = [...groupBy(list, (word) => word)].map(([word, all]): [string, number] => [word, all.length]);
  return counts.sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1)).slice(0, 10);
}

const table = (list: readonly string[]): string => csvText([["word", "count"], ...most(list)]);

export const wordCount: EvalTask = {
  name: "word-count",
  level: 2,
  prompt:
    "Count the words of /workspace/essay.txt without regard to case. A word is a run of letters, with an apostrophe inside " +
    "if it has one (it's is one word). How many different words are there?",
  files: { "essay.txt": essay },
  answer: { format: "json", description: "a number", is: exactly(new Set(words).size) },
  artifacts: {
    "top.csv": {
      mime: "text/csv",
      description: "columns word,count: the ten most frequent words, most frequent first, equal counts by alphabet",
      is: csvFile([["word", "count"], ...most(words)]),
    },
  },
  correct: { answer: new Set(words).size, artifacts: { "top.csv": table(words) } },
  wrong: [
    wrongAnswer("all words instead of different ones", words.length),
    wrongAnswer("case kept", new Set(essay.match(/[A-Za-z]+(?:'[a-z]+)?/g)).size),
    wrongArtifact(
      "split at blanks, with the punctuation",
      "top.csv",
      table(essay.toLowerCase().split(/\s+/).filter(Boolean)),
    ),
  ],
};
