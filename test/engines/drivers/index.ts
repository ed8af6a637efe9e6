import { launchChromium } from "./chromium.js";
import type { Engine, EngineName, LaunchOptions } from "./engine.js";
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
  type LaunchOptions,
  type PageUsage,
} from "./engine.js";

const launchers: Readonly<Record<EngineName, (options: LaunchOptions) => Promise<Engine>>> = {
  chromium: launchChromium,
  firefox: launchFirefox,
  webkitgtk: launchWebKitGTK,
};

/** Starts a browser with an empty profile. @throws {EngineMissingError} when the machine does not have it. */
export function launchEngine(name: EngineName, options: LaunchOptions = {}): Promise<Engine> {
  return launchers[name](options);
}
