import type { AgentModel } from "../agent-parts.js";

import { readKeptModels, writeKeptModels, type KeptModel } from "./kept-models.js";
import { isSecurePage, readModelAddress } from "./model-address.js";

/** What the markup of an agent says of its model. */
export interface SiteModel {
  /** Null: the reader names the server. */
  readonly endpoint: string | null;
  /** Null: the reader names the model. */
  readonly model: string | null;
  /** Of the site's own server. Another one may want a key. */
  readonly key: "none" | "reader" | "optional";
}

/** What the reader filled in. */
export interface ModelChoice {
  readonly baseURL: string;
  readonly model: string;
  /** Empty: the one that is there, if it was entered for that server. */
  readonly apiKey: string;
  readonly isKept: boolean;
}

/** What an agent would ask now, and what it lacks. */
export interface ModelState {
  readonly baseURL: string | null;
  readonly model: string | null;
  readonly apiKey: string | null;
  readonly lacks: "address" | "model" | "key" | null;
  /** Kept on this device. */
  readonly isKept: boolean;
  /** The reader chose something, or entered a key. */
  readonly isOfReader: boolean;
}

interface Chosen {
  readonly baseURL: string;
  readonly model: string | null;
}

/**
 * The models of a page's agents, and the keys of its reader. A key is for the origin that it was entered for, in memory until
 * the page is left; on the device it is kept for one address, when the reader has said so.
 */
export class PageModels {
  /** By the server that the markup names: another one there, and what was chosen means nothing. */
  readonly #chosen = new Map<string, Chosen>();
  readonly #keys = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  #wasDamaged = false;

  /** What was kept could not be read, and is gone. */
  get wasDamaged(): boolean {
    return this.#wasDamaged;
  }

  stateOf(site: SiteModel): ModelState {
    const kept = this.#kept();
    const own = kept.find((each) => each.site === nameOf(site) && isUsable(each.baseURL));
    const chosen = this.#chosen.get(nameOf(site)) ?? own;
    const baseURL = chosen?.baseURL ?? site.endpoint;
    const model = chosen?.model ?? site.model;
    const isOfSite = baseURL === site.endpoint;
    const apiKey = baseURL === null || (isOfSite && site.key === "none") ? null : this.#keyFor(baseURL, kept);
    return {
      baseURL,
      model,
      apiKey,
      lacks: lack({ baseURL, model, apiKey }, isOfSite && site.key === "reader"),
      isKept: own?.baseURL === baseURL,
      isOfReader: chosen !== undefined || apiKey !== null,
    };
  }

  /** @returns whether it is kept, where it was to be. */
  choose(site: SiteModel, { baseURL, model, apiKey, isKept }: ModelChoice): boolean {
    if (apiKey !== "") this.#keys.set(originOf(baseURL), apiKey);
    const before = this.#kept();
    const key = this.#keyFor(baseURL, before);
    // What was kept and is no more stays until the page is left.
    if (key !== null) this.#keys.set(originOf(baseURL), key);
    // Where the page names another model of its server later, the reader goes with it.
    const isOfSite = baseURL === site.endpoint && model === site.model;
    const chosen = { baseURL, model: isOfSite ? null : model };
    this.#chosen.set(nameOf(site), chosen);
    this.#wasDamaged = false;
    const others = before.filter((each) => each.site !== nameOf(site) && (isKept || each.baseURL !== baseURL));
    const isWritten = writeKeptModels(isKept ? [...others, { site: nameOf(site), ...chosen, apiKey: key }] : others);
    this.#tell();
    return isWritten || !isKept;
  }

  /** Takes away what the reader chose for agents of this site's server, and the key of the server that they would ask. */
  forget(site: SiteModel): void {
    const { baseURL } = this.stateOf(site);
    if (baseURL !== null) this.#keys.delete(originOf(baseURL));
    this.#chosen.delete(nameOf(site));
    this.#wasDamaged = false;
    writeKeptModels(this.#kept().filter((each) => each.site !== nameOf(site) && each.baseURL !== baseURL));
    this.#tell();
  }

  /** Calls back when the reader has chosen something, in whichever agent. */
  listen(changed: () => void): void {
    this.#listeners.add(changed);
  }

  stopListening(changed: () => void): void {
    this.#listeners.delete(changed);
  }

  /** Read each time: another tab may have forgotten a key. */
  #kept(): readonly KeptModel[] {
    const { models, wasDamaged } = readKeptModels();
    this.#wasDamaged ||= wasDamaged;
    return models;
  }

  #keyFor(baseURL: string, kept: readonly KeptModel[]): string | null {
    const ofPage = this.#keys.get(originOf(baseURL));
    return ofPage ?? kept.find((each) => each.baseURL === baseURL && each.apiKey !== null)?.apiKey ?? null;
  }

  #tell(): void {
    for (const changed of this.#listeners) changed();
  }
}

/** The model, where nothing is lacking. */
export function modelOf({ baseURL, model, apiKey, lacks }: ModelState): AgentModel | null {
  return lacks === null && baseURL !== null && model !== null ? { baseURL, model, apiKey } : null;
}

function lack(
  { baseURL, model, apiKey }: Pick<ModelState, "baseURL" | "model" | "apiKey">,
  needsKey: boolean,
): ModelState["lacks"] {
  if (baseURL === null) return "address";
  if (model === null) return "model";
  return needsKey && apiKey === null ? "key" : null;
}

function nameOf({ endpoint }: SiteModel): string {
  return endpoint ?? "";
}

function originOf(address: string): string {
  return new URL(address).origin;
}

/** What was kept by a page over http may be of no use to one over https. */
function isUsable(address: string): boolean {
  return readModelAddress(address, { isSecure: isSecurePage() }).kind === "usable";
}
