import type { TestProject } from "vitest/node";

import { buildPage } from "./build-page.js";
import { startTurns } from "./turns.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder with the page of the escape suite. */
    escapePage: string;
    /** The same for a page that can do without a wall. */
    wallsPage: string;
    /** Where turns are given. */
    turnsPort: number;
  }
}

/** Builds the pages of the suite, once for all engines, and gives them turns. Returns what ends that. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  project.provide("escapePage", await buildPage("production"));
  project.provide("wallsPage", await buildPage("walls"));
  const turns = await startTurns();
  project.provide("turnsPort", turns.port);
  return () => turns.close();
}
