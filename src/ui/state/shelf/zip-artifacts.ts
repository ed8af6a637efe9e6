import { zipSync } from "fflate";

import type { Session } from "../../../session/index.js";

/** All artifacts of a session in one archive. */
export async function zipArtifacts({ artifacts }: Session): Promise<Uint8Array<ArrayBuffer>> {
  const entries: Record<string, Uint8Array> = {};
  for (const { name } of await artifacts.list()) entries[name] = await artifacts.loadBytes(name);
  return new Uint8Array(zipSync(entries));
}
