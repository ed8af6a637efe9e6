import type { TestProject } from "vitest/node";

import { buildConfigured } from "../escape/build-page.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder with the page of the load suite. */
    loadPage: string;
  }
}

/** Builds the page of the suite, once for all engines. */
export default async function setUp(project: TestProject): Promise<void> {
  project.provide("loadPage", await buildConfigured("test/load/page/vite.config.ts", "production", "vitrine-load"));
}
