import { csvFile, csvText, exactly } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

/** The generator of the task: x → (1103515245 x + 12345) mod 2³¹, a throw is 1 + (x >> 16) mod 6. */
function play(seed: bigint): number {
  let [x, position, throws] = [seed, 0, 0];
  while (position !== 40) {
    x = (1_103_515_245n * x + 12_345n) % 2n ** 31n;
    const thrown = Number((x >> 16n) % 6n) + 1;
    throws += 1;
    if (position + thrown <= 40) position += thrown;
    if (position === 17) position = 5;
    if (position === 11) position = 29;
  }
  return throws;
}

const games = Array.from({ length: 200 }, (_, n) => play(BigInt(n + 1)));
const rows = [
  ["throws", "games"],
  ...[...new Set(games)].sort((a, b) => a - b).map((n) => [n, games.filter((each) => each === n).length]),
];
const mean = games.reduce((a, b) => a + b, 0) / games.length;

export const diceWalk: EvalTask = {
  name: "dice-walk",
  level: 2,
  prompt:
    "A game: start at field 0, throw a die, go as many fields; a throw that would lead past field 40 is not gone. Who stops " +
    "at field 17 goes back to 5, who stops at 11 goes on to 29. It ends on field 40. The throws come from x → " +
    "(1103515245·x + 12345) mod 2^31, each throw being 1 + ((x >> 16) mod 6) of the new x. Play 200 games, with x = 1, 2, … " +
    "200 at their beginning. How many throws does a game take on average?",
  answer: { format: "json", description: "the mean, a number, not rounded", is: exactly(mean) },
  artifacts: {
    "throws.csv": {
      mime: "text/csv",
      description:
        "columns throws,games: how many games took so many throws, fewest throws first, only those that occur",
      is: csvFile(rows),
    },
  },
  correct: { answer: mean, artifacts: { "throws.csv": csvText(rows) } },
  wrong: [
    wrongAnswer("the longest game", Math.max(...games)),
    wrongAnswer("one throw of each game not counted", mean - 1),
    wrongAnswer("one throw of one game not counted", mean - 1 / games.length),
    wrongArtifact(
      "only the first hundred games",
      "throws.csv",
      csvText(rows.map(([a = 0, b = 0], n) => (n === 0 ? [a, b] : [a, Math.ceil(Number(b) / 2)]))),
    ),
  ],
};
