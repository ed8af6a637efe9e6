import { z } from "zod";

import { functionTool } from "../../../src/tools/index.js";
import { exactly, textFile, type Check } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

const pages = [
  {
    id: "d1",
    title: "The lighthouse of Arn",
    text: "The lighthouse of Arn was lit for the first time in 1874. Its tower is 31 metres high.",
  },
  {
    id: "d2",
    title: "A guide to Arn",
    text: "Visitors are told that the tower was built in 1880 and is 40 metres high; the guide gives no source.",
  },
  {
    id: "d3",
    title: "Survey of 1931",
    text: "Correction to earlier tables: the tower of Arn measures 28 metres; the 31 metres given before include the rock.",
  },
  {
    id: "d4",
    title: "Keepers of Arn",
    text: "The last keeper left in 1962, when the light became automatic. There had been nine keepers since it was lit.",
  },
  { id: "d5", title: "Lamps and lenses", text: "Fresnel lenses were common by 1860. Arn has one of the second order." },
  { id: "d6", title: "Ferries to Arn", text: "Ferries go twice a day. The crossing takes 40 minutes." },
];
const correct =
  "The tower of Arn is 28 metres high [d3]. It was lit first in 1874 [d1]. It has had no keeper since 1962 [d4].";

/** Word for word, so that nothing is denied: only spaces and line breaks between the sentences are free. */
const cites: Check = (value) => {
  const wanted = sentencesOf(correct);
  const sentences = sentencesOf(String(value));
  if (sentences.length !== wanted.length) return `it has ${String(sentences.length)} sentences`;
  const wrong = sentences.findIndex((sentence, index) => sentence !== wanted[index]);
  return wrong < 0 ? null : `sentence ${String(wrong + 1)} is ${JSON.stringify(sentences[wrong])}`;
};

function sentencesOf(text: string): string[] {
  return text
    .trim()
    .split(/(?<=\.)\s+/)
    .map((sentence) => sentence.replace(/\s+/g, " "));
}

export const citedAnswer: EvalTask = {
  name: "cited-answer",
  level: 3,
  prompt:
    "How high is the tower of the lighthouse of Arn without the rock, when was it lit first, and since when has it had no keeper? " +
    "Search the library; where pages disagree, a correction counts more than what it corrects, and a page without sources least.",
  world: () => ({
    tools: [
      functionTool({
        name: "search_library",
        description: "Pages that contain one of the words of a query, as [{id, title}], best first.",
        input: z.object({ query: z.string() }),
        hints: { readOnly: true },
        run: ({ query }) => {
          const words = query
            .toLowerCase()
            .split(/\W+/)
            .filter((word) => word.length > 2);
          const score = ({ title, text }: (typeof pages)[number]): number =>
            words.filter((word) => `${title} ${text}`.toLowerCase().includes(word)).length;
          const found = pages.filter((page) => score(page) > 0).sort((a, b) => score(b) - score(a));
          return found.map(({ id, title }) => ({ id, title }));
        },
      }),
      functionTool({
        name: "read_page",
        description: "The text of a page.",
        input: z.object({ id: z.string() }),
        hints: { readOnly: true },
        run: ({ id }) => {
          const page = pages.find((each) => each.id === id);
          if (page === undefined) throw new Error(`There is no page ${id}.`);
          return page.text;
        },
      }),
    ],
  }),
  answer: {
    format: "json",
    description: '{"metres", "lit", "unattended_since"}, numbers',
    is: exactly({ metres: 28, lit: 1874, unattended_since: 1962 }),
  },
  artifacts: {
    "arn.md": {
      mime: "text/markdown",
      description:
        "these three sentences, with the numbers for N and, for ID, the id of the one page that each rests on, like [d9]: " +
        "The tower of Arn is N metres high [ID]. It was lit first in N [ID]. It has had no keeper since N [ID].",
      is: textFile(cites),
    },
  },
  correct: { answer: { metres: 28, lit: 1874, unattended_since: 1962 }, artifacts: { "arn.md": correct } },
  wrong: [
    wrongAnswer("the height that was corrected", { metres: 31, lit: 1874, unattended_since: 1962 }),
    wrongAnswer("the guide believed", { metres: 40, lit: 1880, unattended_since: 1962 }),
    wrongArtifact("the corrected page cited for the correction", "arn.md", correct.replace("[d3]", "[d1]")),
    wrongArtifact(
      "every fact denied, and another one said",
      "arn.md",
      "The tower of Arn is 31 metres high, and not 28 [d3]. Built in 1874, it was lit first in 1880 [d1]. " +
        "The last keeper left in 1931, not 1962 [d4].",
    ),
    wrongArtifact("a fact denied in its own words", "arn.md", correct.replace("is 28", "is not 28")),
    wrongArtifact(
      "every fact with its page, and the contrary said of it",
      "arn.md",
      "The tower of Arn is thirty-one metres high, not 28 [d3]. It was built, not lit, in 1874 [d1]. It burnt down in 1962 [d4].",
    ),
    wrongArtifact("the height within another number", "arn.md", correct.replace("28", "28.5")),
    wrongArtifact("a second page cited with the first", "arn.md", correct.replace("[d1]", "[d1] [d2, d5]")),
    wrongArtifact(
      "the page cited before the fact",
      "arn.md",
      correct.replace("It was lit first in 1874 [d1]", "As [d1] says, it was lit first in 1874"),
    ),
    wrongArtifact("one fact without a source", "arn.md", correct.replace(" [d4]", "")),
  ],
};
