import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { serveFolder } from "../../../.ci/static-server.mjs";
import { runCommandLine, type ExitCode } from "../../../src/command-line/run-command-line.js";
import type { PackageContent } from "../../../src/deps/package-content.js";
import { Packages } from "../../../src/deps/packages.js";
import { FolderIndex, MemoryCache, type FolderEntry } from "../../../src/deps/sources/index.js";

export interface Ran {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** A site in a folder of its own, whose packages lie where the command puts them. */
export class TrialSite {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  static async create(): Promise<TrialSite> {
    return new TrialSite(await mkdtemp(join(tmpdir(), "vitrine-site-")));
  }

  remove(): Promise<void> {
    return rm(this.#root, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.#root, name);
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), content);
  }

  delete(name: string): Promise<void> {
    return rm(this.path(name));
  }

  read(name: string): Promise<string> {
    return readFile(this.path(name), "utf8");
  }

  async bytes(name: string): Promise<Uint8Array> {
    return new Uint8Array(await readFile(this.path(name)));
  }

  /** Names of what is in a folder, sorted; none where it is not there. */
  async names(folder = "public/packages"): Promise<string[]> {
    return (await readdir(this.path(folder)).catch(() => [])).sort();
  }

  async index(): Promise<FolderEntry[]> {
    return FolderIndex.parse(JSON.parse(await this.read("public/packages/index.json")));
  }

  async entry(file: RegExp): Promise<FolderEntry | undefined> {
    return (await this.index()).find((entry) => file.test(entry.file));
  }

  /** `vitrine packages …`, as a process in the site's folder would do it. */
  async run(...args: string[]): Promise<Ran> {
    return await this.runWith({ lockfile: "", files: "" }, ...args);
  }

  async runWith(own: { readonly lockfile: string; readonly files: string }, ...args: string[]): Promise<Ran> {
    let out = "";
    let err = "";
    const code = await runCommandLine(["packages", ...args], {
      cwd: this.#root,
      out: { write: (text) => (out += text) },
      err: { write: (text) => (err += text) },
      own,
    });
    return { code, out, err };
  }

  /** What a session of this site gets for a package: over HTTP, from the folder alone. */
  async inSession(...specs: [string, ...string[]]): Promise<readonly PackageContent[]> {
    const site = await serveFolder(this.path("public"));
    try {
      const packages = new Packages({
        sources: [{ folder: `${site.url}packages` }],
        allows: () => true,
        ownLockfile: () => "",
        ownFiles: "",
        cache: new MemoryCache(),
      });
      const [first, ...others] = specs;
      return await packages.fetch(first, others, { installed: [] });
    } finally {
      await site.close();
    }
  }
}

export function namesOf(contents: readonly { readonly name: string }[]): string[] {
  return contents.map(({ name }) => name).sort();
}
