import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, inject, test } from "vitest";
import { z } from "zod";

import { everyAttempt, titleOf } from "./attempts/index.js";
import { chromiumDriver } from "./drivers/index.js";
import type { Environment } from "./page/report.js";
import { openPass } from "./suite.js";

const NetLog = z.object({
  constants: z.object({ logEventTypes: z.record(z.string(), z.number()) }),
  events: z.array(z.object({ type: z.number(), params: z.object({ host: z.string() }).partial().optional() })),
});

/** The name carries the secret. Listeners hear of a request, and nothing of a look-up before it. */
const titles = everyAttempt.filter(({ name }) => name === "fetch of a name that carries data").map(titleOf);

/** Hosts below `.localhost` that Chromium's resolver was asked for, by its own log. Other engines keep none. */
async function lookedUp(environment: Environment, made: readonly string[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-names-"));
  try {
    const file = join(folder, "net-log.json");
    const pass = await openPass(await chromiumDriver(file), inject("escapePage"));
    try {
      for (const title of made) await pass.make([title], environment);
    } finally {
      await pass.close();
    }
    const { constants, events } = NetLog.parse(JSON.parse(await readFile(file, "utf8")));
    const request = constants.logEventTypes.HOST_RESOLVER_MANAGER_REQUEST;
    const hosts = events.filter(({ type }) => type === request).map(({ params }) => params?.host ?? "");
    return hosts.filter((host) => host.includes(".localhost"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("there are attempts in the worker and in the frame", () => {
  expect(titles.map((title) => title.split(",")[0])).toEqual(["worker", "frame"]);
});

test.each(titles)("Chromium looks up a name where nothing holds the code: %s", async (title) => {
  expect(await lookedUp("open", [title])).not.toEqual([]);
});

test("no name is looked up for a fetch of sealed code", async () => {
  expect(await lookedUp("sealed", titles)).toEqual([]);
});
