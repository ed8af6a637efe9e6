import type { TestProject } from "vitest/node";

import { buildPage } from "./build-page.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder with the page of the escape suite. */
    escapePage: string;
    /** The same for a page that can do without a wall. */
    wallsPage: string;
  }
}

/** Builds the pages of the suite, once for all engines. */
export default async function buildPages(project: TestProject): Promise<void> {
  project.provide("escapePage", await buildPage("production"));
  project.provide("wallsPage", await buildPage("walls"));
}
