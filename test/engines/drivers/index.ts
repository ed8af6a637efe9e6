import { launchChromium } from "./chromium.js";
import type { Engine, EngineName } from "./engine.js";
import { launchFirefox } from "./firefox.js";
import { launchWebKitGTK } from "./webkitgtk.js";

export {
  EngineMissingError,
  engineNames,
  PageError,
  type Engine,
  type EngineName,
  type EnginePage,
  type Json,
} from "./engine.js";

const launchers: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  chromium: launchChromium,
  firefox: launchFirefox,
  webkitgtk: launchWebKitGTK,
};

/** Starts a browser with an empty profile. @throws {EngineMissingError} when the machine does not have it. */
export function launchEngine(name: EngineName): Promise<Engine> {
  return launchers[name]();
}
