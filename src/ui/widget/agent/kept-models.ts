import { readModelAddress } from "./model-address.js";

/** What a reader had kept on this device: a model for the pages of one origin that name one server, or none. */
export interface KeptModel {
  /** The server that the pages named then; empty for none. Another one there is another record. */
  readonly site: string;
  /** The server that the reader chose: the same, or another. The key is for it alone. */
  readonly baseURL: string;
  /** Null: what the page names. */
  readonly model: string | null;
  readonly apiKey: string | null;
}

export interface KeptModels {
  readonly models: readonly KeptModel[];
  /** There was something else, which is removed. */
  readonly wasDamaged: boolean;
}

/** With the version of its form. Another form gets another name. */
export const STORAGE_KEY = "vitrine-agent-models-1";

const LONGEST = 100_000;
const NOTHING: KeptModels = { models: [], wasDamaged: false };

export function readKeptModels(): KeptModels {
  try {
    const text = localStorage.getItem(STORAGE_KEY);
    if (text === null) return NOTHING;
    const models = parseKeptModels(text);
    if (models !== null) return { models, wasDamaged: false };
    localStorage.removeItem(STORAGE_KEY);
    return { models: [], wasDamaged: true };
  } catch {
    // A page without storage: it is blocked, or the page is sealed.
    return NOTHING;
  }
}

/** False where the browser keeps nothing for this page. */
export function writeKeptModels(models: readonly KeptModel[]): boolean {
  try {
    if (models.length === 0) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, JSON.stringify(models));
    return true;
  } catch {
    return false;
  }
}

/** Null for whatever {@link writeKeptModels} did not write. Other scripts of the origin may have. */
export function parseKeptModels(text: string): readonly KeptModel[] | null {
  const value = text.length > LONGEST ? null : parseJson(text);
  if (!Array.isArray(value)) return null;
  const models = value.map(readModel);
  return models.every((model) => model !== null) ? models : null;
}

function readModel(value: unknown): KeptModel | null {
  if (typeof value !== "object" || value === null) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  const { site, baseURL, model, apiKey } = {
    site: fields.get("site"),
    baseURL: fields.get("baseURL"),
    model: fields.get("model"),
    apiKey: fields.get("apiKey"),
  };
  if (fields.size !== 4 || !isSite(site) || !isAddress(baseURL)) return null;
  return isTextOrNull(model) && isTextOrNull(apiKey) ? { site, baseURL, model, apiKey } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isSite(value: unknown): value is string {
  return value === "" || isAddress(value);
}

function isAddress(value: unknown): value is string {
  if (typeof value !== "string") return false;
  const address = readModelAddress(value, { isSecure: false });
  return address.kind === "usable" && address.url === value;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && value !== "");
}
