import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { serveFolder } from "../../.ci/static-server.mjs";

/** The workers, which start after this, find the address in the environment. */
export default async function serveDemo(): Promise<() => Promise<void>> {
  const folder = fileURLToPath(new URL("../../dist-demo/", import.meta.url));
  if (!existsSync(folder)) throw new Error("The demo is not built: run `npm run build`, or `npm run test:demo`.");
  const server = await serveFolder(folder, { base: "/some/where/vitrine/" });
  process.env.VITRINE_DEMO_URL = server.url;
  return () => server.close();
}
