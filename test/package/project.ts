import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../", import.meta.url));
const execute = promisify(execFile);

const withoutColor: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: "1" };
delete withoutColor.FORCE_COLOR;

/** A directory outside the repository with the packed library installed and nothing else. */
export class Project {
  constructor(readonly folder: string) {}

  path(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): Promise<string> {
    return readFile(this.path(name), "utf8");
  }

  async write(name: string, text: string): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), text);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  async copy(from: string, name: string): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await copyFile(from, this.path(name));
  }

  /** Lets a folder of the project have another name, too. */
  async link(from: string, name: string): Promise<void> {
    await symlink(this.path(from), this.path(name), "dir");
  }

  /** Gives the project a package of the repository. */
  async linkInstalled(name: string): Promise<void> {
    await symlink(installed(name), this.path(`node_modules/${name}`), "dir");
  }

  /** Runs a script in this project. @returns what it prints. */
  node(script: string, ...args: string[]): Promise<string> {
    return run(process.execPath, [script, ...args], this.folder);
  }

  /** Runs the repository's vite in this project. */
  async vite(...args: string[]): Promise<void> {
    await this.node(installed("vite/bin/vite.js"), ...args);
  }

  /** Starts a program that a package of the project brings, as `npx` would. */
  startProgram(name: string, ...args: string[]): ChildProcess {
    return spawn(this.path(`node_modules/.bin/${name}`), args, { cwd: this.folder, env: withoutColor });
  }

  /** Runs such a program to its end. */
  async runProgram(name: string, ...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
    const child = this.startProgram(name, ...args);
    let out = "";
    let err = "";
    child.stdout?.on("data", (text) => (out += String(text)));
    child.stderr?.on("data", (text) => (err += String(text)));
    const [code] = (await once(child, "close")) as [number | null];
    return { code, out, err };
  }

  /** Starts `vite dev` on a free port. */
  async startVite(): Promise<{ url: string; close(): Promise<void> }> {
    const args = [installed("vite/bin/vite.js"), "--host", "127.0.0.1"];
    const child = spawn(process.execPath, args, {
      cwd: this.folder,
      env: withoutColor,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exit = once(child, "exit");
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(line)?.[0];
      if (url === undefined) continue;
      child.stdout.resume();
      return {
        url,
        close: async () => {
          child.kill();
          await exit;
        },
      };
    }
    throw new Error("vite ended before it said where it listens.");
  }

  async typeCheck(file: string, { moduleResolution }: { moduleResolution: "bundler" | "nodenext" }): Promise<void> {
    const compilerOptions = {
      target: "ES2022",
      lib: ["ES2022", "DOM", "DOM.Iterable"],
      module: moduleResolution === "nodenext" ? "NodeNext" : "ESNext",
      moduleResolution,
      types: [],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
    };
    await this.write("tsconfig.json", JSON.stringify({ compilerOptions, files: [file] }));
    // The last release that is written in JavaScript, and the one that the repository checks itself with.
    for (const compiler of ["@typescript/typescript6/bin/tsc6", "typescript/bin/tsc"]) {
      await run(process.execPath, [installed(compiler), "-p", "."], this.folder);
    }
  }
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Packs what `npm run build:library` built, and installs it offline; what it depends on comes from the repository. */
export async function createProject(): Promise<Project> {
  const project = new Project(await realpath(await mkdtemp(join(tmpdir(), "vitrine-package-"))));
  await project.write("package.json", JSON.stringify({ name: "empty", private: true, type: "module" }));
  await npm(["pack", "--ignore-scripts", "--pack-destination", project.folder], root);
  const { name, version, dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as Manifest;
  const packages = [`${name}-${version}.tgz`, ...Object.keys(dependencies).map(installed)];
  await npm(["install", "--offline", "--no-audit", "--no-fund", ...packages], project.folder);
  return project;
}

function npm(args: string[], cwd: string): Promise<string> {
  // Under `npm test` and `npx` this is npm's own script, which needs no shell on any system.
  const script = process.env.npm_execpath;
  return script === undefined ? run("npm", args, cwd) : run(process.execPath, [script, ...args], cwd);
}

async function run(command: string, args: string[], cwd: string): Promise<string> {
  try {
    return (await execute(command, args, { cwd })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** A file of a package that the repository has. */
export function installed(path: string): string {
  return join(root, "node_modules", path);
}
