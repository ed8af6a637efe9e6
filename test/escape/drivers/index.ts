import { chromiumDriver } from "./chromium.js";
import type { Driver, Engine } from "./driver.js";

export type { DrivenPage, Driver, Engine } from "./driver.js";

const starts: Readonly<Record<Engine, () => Promise<Driver | null>>> = {
  chromium: chromiumDriver,
  firefox: () => Promise.resolve(null),
  webkit: () => Promise.resolve(null),
};

/** Null where the engine is not installed. */
export function startDriver(engine: Engine): Promise<Driver | null> {
  return starts[engine]();
}
