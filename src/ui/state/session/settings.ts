import { z } from "zod";

import { messageOf, VitrineError } from "../../../protocol/index.js";
import { Observable } from "../text/observable.js";
import { DEFAULT_PACKAGES, PackageSettings } from "./package-settings.js";
import { DEFAULT_LIMITS, TaskLimits } from "./task-limits.js";
import { DEFAULT_WRITERS, WriterSettings } from "./writer-settings.js";

const Kept = z.object({
  kind: z.enum(["recorded", "openai"]),
  baseURL: z.string(),
  model: z.string(),
  sees: z.boolean().catch(false),
  corsProxy: z.string(),
  allowedHosts: z.string().catch(""),
  agent: z.enum(["code", "react"]).catch("code"),
  offersAgents: z.boolean().catch(true),
  limits: TaskLimits.catch(DEFAULT_LIMITS),
  learnsSkills: z.boolean().catch(false),
  worksOnCode: z.boolean().catch(false),
  packages: PackageSettings.catch(DEFAULT_PACKAGES),
  writers: WriterSettings.catch(DEFAULT_WRITERS),
  /** Only there when the user asked for it. */
  apiKey: z.string().optional(),
});

export interface DemoSettings {
  /** `recorded`: the replies that came with the page. `openai`: any server of that protocol. */
  readonly kind: "recorded" | "openai";
  readonly baseURL: string;
  readonly model: string;
  /** Whether the model is shown the pictures that its code draws. */
  readonly sees: boolean;
  readonly apiKey: string;
  /** Whether the key outlives the page, in localStorage. */
  readonly keepKey: boolean;
  /** Empty for none. */
  readonly corsProxy: string;
  /** Hosts that tools and `curl` may reach, with commas or blanks between. Empty: those that tool files name, and none for `curl`. */
  readonly allowedHosts: string;
  /** Which agent solves tasks with a server's model: it writes Python, or calls tools one by one. */
  readonly agent: "code" | "react";
  /** Whether a server's model is offered an assistant and programs by contract as tools; the recorded one always is. */
  readonly offersAgents: boolean;
  readonly limits: TaskLimits;
  /** Whether a server's model is asked, after a task, if what it did is worth a skill. */
  readonly learnsSkills: boolean;
  /** Whether a server's model works as an agent for code: with tools for files and tests, and a diff that can be undone. */
  readonly worksOnCode: boolean;
  readonly packages: PackageSettings;
  /** Which models of the server write files together, if any. */
  readonly writers: WriterSettings;
}

export const DEFAULT_SETTINGS: DemoSettings = {
  kind: "recorded",
  baseURL: "",
  model: "",
  sees: false,
  apiKey: "",
  keepKey: false,
  corsProxy: "",
  allowedHosts: "",
  agent: "code",
  offersAgents: true,
  limits: DEFAULT_LIMITS,
  learnsSkills: false,
  worksOnCode: false,
  packages: DEFAULT_PACKAGES,
  writers: DEFAULT_WRITERS,
};

export interface ModelPreset {
  readonly label: string;
  readonly baseURL: string;
  /** A model that the server is known to have; the user may write another. */
  readonly model: string;
  readonly needsKey: boolean;
}

export const PRESETS: readonly ModelPreset[] = [
  { label: "OpenAI", baseURL: "https://api.openai.com/v1", model: "gpt-4.1-mini", needsKey: true },
  { label: "OpenRouter", baseURL: "https://openrouter.ai/api/v1", model: "openai/gpt-4.1-mini", needsKey: true },
  { label: "Ollama", baseURL: "http://localhost:11434/v1", model: "qwen3-coder", needsKey: false },
  { label: "LM Studio", baseURL: "http://localhost:1234/v1", model: "qwen2.5-coder-7b-instruct", needsKey: false },
];

/** Why a change needs Python to start again, in words for the user; null where nothing of it does. */
export function restartNote(before: DemoSettings, after: DemoSettings): string | null {
  const isReach = after.corsProxy !== before.corsProxy || after.allowedHosts !== before.allowedHosts;
  const isPackages = JSON.stringify(after.packages) !== JSON.stringify(before.packages);
  if (!isReach && !isPackages) return null;
  const what = [isReach ? "What tools may reach" : "", isPackages ? "where packages come from" : ""];
  const sentence = what.filter((part) => part !== "").join(", and ");
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)} changed, so Python was restarted. Its variables are gone.`;
}

/** The part of `Storage` that is used. */
export interface KeyValueStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** The server takes no request without a key, and there is none. Nothing was sent. */
export class MissingKeyError extends VitrineError {
  override readonly name = "MissingKeyError";
  readonly code = "MODEL_KEY_MISSING";

  constructor(readonly service: string) {
    super(
      `${service} needs a key, and none is set. Paste yours in the settings; it is gone after a reload unless you keep it on this device.`,
    );
  }
}

/** @throws {MissingKeyError} when the server is one of the presets that need a key, and there is none. */
export function requireKey({ kind, baseURL, apiKey }: DemoSettings): void {
  if (kind !== "openai" || apiKey.trim() !== "") return;
  const host = hostOf(baseURL);
  const service = PRESETS.find((preset) => preset.needsKey && hostOf(preset.baseURL) === host);
  if (service !== undefined) throw new MissingKeyError(service.label);
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

const KEY = "vitrine-demo.settings";

/**
 * The user's choices. The key is kept in localStorage when the user asks for
 * it, where no worker can read it, and never in IndexedDB.
 */
export class Settings extends Observable {
  readonly #store: () => KeyValueStore;
  #current: DemoSettings;

  /** @param store - throws where the browser blocks it. */
  constructor(store: () => KeyValueStore) {
    super();
    this.#store = store;
    this.#current = this.#read();
  }

  get current(): DemoSettings {
    return this.#current;
  }

  /** Takes the settings over. @returns why they will be gone after a reload; null when they are kept. */
  save(settings: DemoSettings): string | null {
    this.#current = settings;
    const { apiKey, keepKey, ...rest } = settings;
    const problem = this.#write(Kept.parse(keepKey && apiKey !== "" ? { ...rest, apiKey } : rest));
    this.changed();
    return problem;
  }

  #write(kept: z.infer<typeof Kept>): string | null {
    try {
      this.#store().setItem(KEY, JSON.stringify(kept));
      return null;
    } catch (error) {
      const reason = messageOf(error);
      return `The browser does not keep settings for this page (${reason}). They hold until you leave it.`;
    }
  }

  #read(): DemoSettings {
    try {
      const kept = Kept.safeParse(JSON.parse(this.#store().getItem(KEY) ?? "null"));
      if (!kept.success) return DEFAULT_SETTINGS;
      const { apiKey = "", ...rest } = kept.data;
      return { ...rest, apiKey, keepKey: apiKey !== "" };
    } catch {
      return DEFAULT_SETTINGS;
    }
  }
}
