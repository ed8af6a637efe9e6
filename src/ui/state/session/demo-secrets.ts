import { localStorageSecrets, memorySecrets, type SecretStore } from "../../../secrets/index.js";
import { Observable } from "../text/observable.js";

/** The secrets that tools use: for this visit, or kept on this device. No worker reads either. */
export class DemoSecrets extends Observable implements SecretStore {
  readonly #visit = memorySecrets();
  readonly #kept = localStorageSecrets("vitrine-demo.secret:");

  async get(name: string): Promise<string | undefined> {
    return (await this.#visit.get(name)) ?? (await this.#kept.get(name).catch(() => undefined));
  }

  async names(): Promise<readonly string[]> {
    const kept = await this.#kept.names().catch(() => []);
    return [...new Set([...(await this.#visit.names()), ...kept])].sort();
  }

  /** @throws where the browser forbids to keep it. */
  async set(name: string, value: string, { keep }: { readonly keep: boolean }): Promise<void> {
    if (keep) await this.#kept.set(name, value);
    await this.delete(name, { keep });
    if (!keep) await this.#visit.set(name, value);
    this.changed();
  }

  /** @param keep - leaves the one that is kept on this device. */
  async delete(name: string, { keep = false }: { readonly keep?: boolean } = {}): Promise<void> {
    await this.#visit.delete(name);
    if (!keep) await this.#kept.delete(name).catch(() => undefined);
    this.changed();
  }
}
