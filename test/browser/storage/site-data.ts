import { vi } from "vitest";
import { cdp } from "vitest/browser";

import { untilShown } from "../../timeouts.mjs";

/** As a person does in the browser's settings. Resolves when it is done, and databases can be opened again. */
export async function clearSiteData(): Promise<void> {
  const database = await openCanary();
  const closed = new Promise((resolve) => {
    database.addEventListener("close", resolve);
  });
  // The command answers before the work is done.
  await cdp().send("Storage.clearDataForOrigin", { origin: location.origin, storageTypes: "indexeddb,cache_storage" });
  await closed;
  // Until all connections are closed, opening fails at once.
  await vi.waitFor(async () => {
    (await openCanary()).close();
  }, untilShown);
}

/**
 * How much this origin may store, in bytes; null for what the browser allows by itself. What it stored before is cleared,
 * a kept base snapshot included, which alone would fill the room.
 */
export async function setQuota(limit: number | null): Promise<void> {
  // Chromium remembers for seconds how much room there was; it forgets when it has to close the databases.
  await clearSiteData();
  const quota = limit === null ? {} : { quotaSize: limit };
  await cdp().send("Storage.overrideQuotaForOrigin", { origin: location.origin, ...quota });
}

function openCanary(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("canary");
    request.addEventListener("success", () => {
      resolve(request.result);
    });
    request.addEventListener("error", () => {
      reject(request.error ?? new Error("The canary could not be opened."));
    });
  });
}
