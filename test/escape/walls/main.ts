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
import { failingWithout } from "./failing-without.js";
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
      /** Only what each engine lacks. */
      lacks: { type: "boolean", default: false },
    },
  });
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
      failing[name] = await failingWithout(pass, engine);
      await pass.close();
      console.log(`${lacks.version}, without the ${name}: ${String(failing[name].length)} fail`);
    }
    const record = await readRecord();
    await writeRecord({ ...record, [engine]: joined(record[engine], { ...lacks, failing }) });
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

/** Walls that were not tried this time keep what was seen before. */
function joined(
  before: EngineRecord | undefined,
  { failing, ...lacks }: Lacks & { readonly failing: Readonly<Record<string, string[]>> },
): EngineRecord {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const all = { ...before?.failing, ...failing };
  // In the order of the walls, without those that are gone.
  const kept = walls.flatMap(({ name }) => (all[name] === undefined ? [] : [[name, all[name]] as const]));
  return { ...lacks, date, commit, failing: Object.fromEntries(kept) };
}
