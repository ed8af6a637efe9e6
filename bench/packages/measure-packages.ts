import { join } from "node:path";

import { notRun } from "../comparison.js";
import { visit, type Opened } from "../comparisons/opening.js";
import { packagesComparison, packagesSets, type PackagesSet } from "../comparisons/packages.js";
import type { Measuring } from "../measuring.js";
import { startServer } from "../server.js";
import { packageFolder } from "./package-folders.js";

/** Visits that fill the caches, those of compiled code included. */
const WARM_UP_VISITS = 2;

/** Opens with packages and imports them, on both sides from one slow server. */
export async function measurePackages(measuring: Measuring): Promise<void> {
  const { wants, add, folders, rate } = measuring;
  const wanted = packagesSets.filter(({ claims }) => wants(...Object.values(claims)));
  const served = new Map<string, string>();
  const sets = wanted.filter((set) => {
    const found = packageFolder(set.set);
    if ("folder" in found) served.set(`/packages/${set.set}/`, found.folder);
    else add([{ kind: "not available", ...set.claims.imported, reason: found.missing }]);
    return "folder" in found;
  });
  if (sets.length === 0) return;
  const server = await startServer({ folders: [...served, ...folders], rate });
  // Another site, where nothing is learnt about the one that is visited.
  const elsewhere = await startServer({ folders });
  try {
    for (const set of sets) {
      const places = { here: server.url, elsewhere: elsewhere.url };
      try {
        await (set.visit === "first" ? firstVisits : repeatVisits)(set, places, measuring);
      } catch (error) {
        add([notRun(set.claims.imported, error)]);
      }
    }
  } finally {
    await server.close();
    await elsewhere.close();
  }
}

interface Places {
  readonly here: string;
  readonly elsewhere: string;
}

async function firstVisits(set: PackagesSet, places: Places, { launch, compare }: Measuring): Promise<void> {
  const open = async (page: string): Promise<Opened> => {
    const engine = await launch();
    try {
      const blank = await engine.openPage(`${places.elsewhere}blank.html`);
      await blank.evaluate("new Promise((resolve) => setTimeout(resolve, 500))");
      return await visit(engine, places.here + page);
    } finally {
      await engine.close();
    }
  };
  await compare(packagesComparison(set, open));
}

async function repeatVisits(
  set: PackagesSet,
  places: Places,
  { launch, compare, profileFolder }: Measuring,
): Promise<void> {
  const engine = await launch(join(profileFolder, "packages"));
  try {
    const blank = await engine.openPage(`${places.here}blank.html`);
    const comparison = packagesComparison(set, (page) => visit(engine, places.here + page));
    for (let count = 0; count < WARM_UP_VISITS; count++) {
      await comparison.subject();
      await comparison.baseline();
    }
    await compare(comparison);
    await blank.close();
  } finally {
    await engine.close();
  }
}
