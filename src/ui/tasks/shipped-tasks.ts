import { parseTranscript, type Transcript } from "../../model/index.js";
import cleanReadings from "./clean-readings.yaml?raw";
import gateLog from "./gate-log.yaml?raw";
import keplerReport from "./kepler-report.yaml?raw";
import mendTheShop from "./mend-the-shop.yaml?raw";
import monthlyUse from "./monthly-use.yaml?raw";
import orderCheck from "./order-check.yaml?raw";
import reorderList from "./reorder-list.yaml?raw";
import revenueByCategory from "./revenue-by-category.yaml?raw";
import stockValue from "./stock-value.yaml?raw";
import stockValueProgram from "./stock-value.program.yaml?raw";
import twoMeters from "./two-meters.yaml?raw";
import twoMetersElectricity from "./two-meters.electricity.yaml?raw";
import twoMetersExchange from "./two-meters.exchange.yaml?raw";
import twoMetersWater from "./two-meters.water.yaml?raw";
import unitConverter from "./unit-converter.yaml?raw";
import { TASK_TITLES } from "./task-titles.js";

/** A task that the page offers and the recorded model knows. */
export interface ShippedTask {
  readonly id: string;
  /** A few words, for a button. */
  readonly title: string;
  /** What the agent is told; the same text that the transcript answers. */
  readonly task: string;
  /** What has to lie in `/workspace` before the task starts. */
  readonly files: readonly TaskFile[];
  /** Whether it is solved by an agent for work on code. */
  readonly isCoding: boolean;
  readonly transcript: Transcript;
  /** What is said to the agents in its course, and of the programs that it asks for. */
  readonly below: readonly TranscriptBelow[];
  /** What is said by those who write files in its course, by who says it: two who write, and one who chooses. */
  readonly writers: () => Promise<TranscriptsOfWriters>;
}

export type TranscriptsOfWriters = Readonly<Record<"plain" | "thorough" | "arbiter", readonly Transcript[]>>;

export interface TranscriptBelow {
  readonly name: string;
  readonly transcript: Transcript;
}

export interface TaskFile {
  /** Relative to `/workspace`. */
  readonly path: string;
  /** Relative to the page. */
  readonly url: string;
}

/**
 * The tasks that come with the page, in the order in which it offers them. They
 * also need the tools and skills of `shippedSeeds`.
 */
export const shippedTasks: readonly ShippedTask[] = [
  shippedTask("clean-readings", {
    text: cleanReadings,
    files: ["station-readings.csv"],
  }),
  shippedTask("revenue-by-category", {
    text: revenueByCategory,
    files: [],
  }),
  shippedTask("monthly-use", {
    text: monthlyUse,
    files: ["meter-electricity.csv", "meter-water.csv"],
  }),
  shippedTask("kepler-report", {
    text: keplerReport,
    files: ["planets.csv"],
  }),
  shippedTask("reorder-list", {
    text: reorderList,
    files: [],
  }),
  shippedTask("gate-log", {
    text: gateLog,
    files: ["gates.log"],
  }),
  shippedTask("two-meters", {
    text: twoMeters,
    below: { electricity: twoMetersElectricity, exchange: twoMetersExchange, water: twoMetersWater },
    files: ["meter-electricity.csv", "meter-water.csv"],
  }),
  shippedTask("stock-value", {
    text: stockValue,
    below: { program: stockValueProgram },
    files: [],
  }),
  shippedTask("mend-the-shop", {
    text: mendTheShop,
    files: [
      "shop/__init__.py",
      "shop/discounts.py",
      "shop/money.py",
      "shop/receipt.py",
      "shop/tests/__init__.py",
      "shop/tests/test_money.py",
      "shop/tests/test_receipt.py",
    ],
    isCoding: true,
  }),
  shippedTask("unit-converter", {
    text: unitConverter,
    writers: async () => (await import("./unit-converter.writers.js")).writers,
    files: [],
    isCoding: true,
  }),
  shippedTask("order-check", {
    text: orderCheck,
    files: ["order-list.csv"],
  }),
];

interface Content {
  /** The transcript's file. */
  readonly text: string;
  /** By name the transcripts of what is asked in its course: `<task>.<name>.yaml`. */
  readonly below?: Readonly<Record<string, string>>;
  readonly writers?: ShippedTask["writers"];
  /** Files of `public/data/`. */
  readonly files: readonly string[];
  readonly isCoding?: boolean;
}

function shippedTask(
  id: keyof typeof TASK_TITLES,
  { text, below = {}, writers = noWriters, files, isCoding = false }: Content,
): ShippedTask {
  const transcript = parseTranscript({ file: `${id}.yaml`, text });
  return {
    id,
    title: TASK_TITLES[id],
    task: transcript.task,
    files: files.map((path) => ({ path, url: `./data/${path}` })),
    isCoding,
    transcript,
    below: Object.entries(below).map(([name, part]) => ({
      name,
      transcript: parseTranscript({ file: `${id}.${name}.yaml`, text: part }),
    })),
    writers,
  };
}

/** Who writes files for a task that has none written. */
function noWriters(): Promise<TranscriptsOfWriters> {
  return Promise.resolve({ plain: [], thorough: [], arbiter: [] });
}
