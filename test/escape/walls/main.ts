import { execFileSync } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { engineNames, type EngineName } from "../../engines/drivers/index.js";
import { everyAttempt } from "../attempts/index.js";
import { buildPage } from "../build-page.js";
import { startDriver, type Driver } from "../drivers/index.js";
import { lacksOf } from "../probes.js";
import { openPass } from "../suite.js";
import { failingWithout, knownTitles } from "./failing-without.js";
import { readRecord, writeRecord, type EngineRecord } from "./record.js";
import { walls } from "./walls.js";

/** Milliseconds for a batch: what takes longer without a wall has come through. */
const LIMIT = 60_000;

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Takes each wall away in turn, and writes which tests fail then. */
export async function main(args: readonly string[]): Promise<number> {
  const { values: options } = parseArgs({
    args: [...args],
    options: {
      engine: { type: "string", multiple: true },
      wall: { type: "string", multiple: true },
      /** Only attempts whose titles contain one of these; what was seen of the others stays in the record. */
      attempt: { type: "string", multiple: true },
      /** Only what each engine lacks. */
      lacks: { type: "boolean", default: false },
    },
  });
  const texts = options.attempt ?? [""];
  const isChosen = (title: string): boolean => texts.some((text) => title.includes(text));
  const titles = [...knownTitles()].filter(isChosen);
  if (titles.length === 0) {
    console.error(`No attempt has ${texts.join(" or ")} in its title.`);
    return 2;
  }
  const known = new Set<string>([...engineNames, ...walls.map(({ name }) => name)]);
  const unknown = [...(options.engine ?? []), ...(options.wall ?? [])].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(", ")}. Known are: ${[...known].join(", ")}.`);
    return 2;
  }
  const engines = engineNames.filter((name) => options.engine?.includes(name) ?? true);
  const chosen = options.lacks ? [] : walls.filter(({ name }) => options.wall?.includes(name) ?? true);
  // The tests may build the page anew meanwhile.
  const folder = await mkdtemp(join(tmpdir(), "vitrine-walls-"));
  await cp(await buildPage("walls"), folder, { recursive: true });
  for (const engine of engines) {
    const lacks = await lacksIn(engine, folder);
    if (lacks === null) continue;
    const failing: Record<string, string[]> = {};
    for (const { name } of chosen) {
      const pass = await openPass(await launched(engine), folder, { without: name, limit: LIMIT });
      failing[name] = await failingWithout(pass, engine, isChosen);
      await pass.close();
      console.log(`${lacks.version}, without the ${name}: ${String(failing[name].length)} fail`);
    }
    const record = await readRecord();
    const seen = { ...lacks, failing };
    const engineRecord =
      options.attempt === undefined ? joined(record[engine], seen) : withMore(record[engine], { ...seen, titles });
    await writeRecord({ ...record, [engine]: engineRecord });
  }
  await rm(folder, { recursive: true, force: true });
  return 0;
}

type Lacks = Pick<EngineRecord, "version" | "lacks">;

/** Null where the engine is not installed, which is printed. */
async function lacksIn(engine: EngineName, folder: string): Promise<Lacks | null> {
  const driver = await startDriver(engine);
  if (typeof driver === "string") {
    console.log(driver);
    return null;
  }
  const pass = await openPass(driver, folder);
  const lacks = [...(await lacksOf(pass, everyAttempt)).values()];
  await pass.close();
  return { version: driver.version, lacks: [...new Set(lacks.map(({ need }) => need))].sort() };
}

async function launched(engine: EngineName): Promise<Driver> {
  const driver = await startDriver(engine);
  if (typeof driver === "string") throw new Error(driver);
  return driver;
}

type Seen = Lacks & Pick<EngineRecord, "failing">;

/** Walls that were not tried this time keep what was seen before. */
function joined(before: EngineRecord | undefined, { failing, ...lacks }: Seen): EngineRecord {
  return { ...lacks, ...now(), failing: inOrder({ ...before?.failing, ...failing }) };
}

/**
 * With what was seen of some attempts in the place of what was seen of them before.
 *
 * @throws {Error} where the others were never tried: the record would say of them that nothing failed.
 */
function withMore(
  before: EngineRecord | undefined,
  { titles, failing, lacks }: Seen & { readonly titles: readonly string[] },
): EngineRecord {
  if (before === undefined)
    throw new Error("Try all attempts first; --attempt adds some to what was seen of the others.");
  const all = { ...before.failing };
  for (const [wall, seen] of Object.entries(failing)) {
    const others = (all[wall] ?? []).filter((title) => !titles.includes(title));
    all[wall] = [...others, ...seen];
  }
  const kept = (before.later ?? []).filter((run) => !run.attempts.every((title) => titles.includes(title)));
  return { ...before, lacks, failing: inOrder(all), later: [...kept, { ...now(), attempts: [...titles] }] };
}

function now(): { readonly date: string; readonly commit: string } {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  return { date: new Date().toISOString().slice(0, 10), commit };
}

/** In the order of the walls, without those that are gone. */
function inOrder(failing: Readonly<Record<string, string[]>>): Record<string, string[]> {
  const kept = walls.flatMap(({ name }) => (failing[name] === undefined ? [] : [[name, failing[name]] as const]));
  return Object.fromEntries(kept);
}
