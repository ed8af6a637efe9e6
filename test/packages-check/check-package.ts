import {
  functionTool,
  memoryStorage,
  Session,
  type PackageSourceOptions,
  type RunResult,
  type Value,
} from "../../src/index.js";
import { sha256 } from "../../src/storage/index.js";
import { differences } from "./expectation.js";
import type { PackageResult, SnippetResult } from "./result.js";
import type { CheckedPackage, Snippet } from "./snippets/index.js";

/** Milliseconds for one run: what hangs shall not keep the others waiting. */
const RUN = 120_000;

const LONGEST_REASON = 4000;

export interface CheckOptions {
  readonly from: PackageSourceOptions;
  /** How many interpreters it is imported in, to time it. Default: 3. */
  readonly imports?: number | undefined;
  readonly signal: AbortSignal;
  /** Called with what is found so far, after each step. */
  readonly onProgress: (result: PackageResult) => void;
  /** Called with the versions of the interpreter that the code runs in. */
  readonly onVersions: (versions: { readonly pyodide: string; readonly python: string }) => void;
}

/**
 * Installs a package, times its import and runs its snippets. What fails is in the result.
 *
 * @throws what `signal` was aborted with.
 */
export async function checkPackage(checked: CheckedPackage, options: CheckOptions): Promise<PackageResult> {
  const { imports = 3, signal, onProgress } = options;
  let result: PackageResult = {
    source: checked.source,
    name: checked.name,
    problem: null,
    files: [],
    importTimes: [],
    snippets: [],
  };
  const found = (news: Partial<PackageResult>): void => {
    signal.throwIfAborted();
    result = { ...result, ...news };
    onProgress(result);
  };
  found({});
  try {
    await inSession(options, async (session, taken) => {
      await session.deps.add(checked.name);
      found({ files: [...session.deps.lock().packages] });
      found({ importTimes: [await timeImport(session, checked.module)] });
      const version = result.files.find(({ name }) => name === checked.name)?.version ?? "";
      for (const snippet of checked.snippets) {
        found({ snippets: [...result.snippets, await runSnippet(snippet, { session, taken, version })] });
      }
    });
    for (let times = 1; times < imports; times += 1) {
      await inSession(options, async (session) => {
        await session.deps.add(checked.name);
        found({ importTimes: [...result.importTimes, await timeImport(session, checked.module)] });
      });
    }
  } catch (error) {
    found({ problem: cut(error instanceof Error ? `${error.name}: ${error.message}` : String(error)) });
  }
  return result;
}

/** With a sealed session of its own, and what its code hands to `tools.take`. */
async function inSession(
  { from, signal, onVersions }: CheckOptions,
  use: (session: Session, taken: Value[]) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  const taken: Value[] = [];
  const take = functionTool({
    name: "take",
    description: "Takes a value and gives it back.",
    input: { type: "object", properties: { value: {} } },
    run: ({ value = null }) => {
      taken.push(value);
      return value;
    },
  });
  const session = await Session.open({ storage: memoryStorage(), packages: [from], tools: [take], timeout: RUN });
  const close = (): void => void session.close();
  signal.addEventListener("abort", close);
  try {
    if (session.capabilities !== undefined) onVersions(session.capabilities);
    await use(session, taken);
  } finally {
    signal.removeEventListener("abort", close);
    await session.close();
  }
}

/** @throws {Error} where it cannot be imported. */
async function timeImport(session: Session, module: string): Promise<number> {
  const code = [
    "import time as _time",
    "_begun = _time.perf_counter()",
    `import ${module}`,
    "(_time.perf_counter() - _begun) * 1000",
  ].join("\n");
  const { value, error } = await session.run(code);
  if (error !== null) throw new Error(String(error));
  return typeof value === "number" ? Math.max(0, Math.round(value * 10) / 10) : 0;
}

interface SnippetPlace {
  readonly session: Session;
  readonly taken: Value[];
  readonly version: string;
}

async function runSnippet(
  { id, code, expected }: Snippet,
  { session, taken, version }: SnippetPlace,
): Promise<SnippetResult> {
  taken.length = 0;
  const run: RunResult = await session.run(code);
  const found = differences(expected, {
    error: run.error === null ? null : String(run.error),
    value: run.value,
    stdout: run.stdout,
    displays: run.outputs.map(({ data }) => Object.keys(data)),
    taken: [...taken],
    version,
  });
  return {
    id,
    codeSha256: sha256(code),
    outcome: found.length === 0 ? "passed" : "failed",
    differences: found.slice(0, 20).map(cut),
    elapsed: Math.round(run.elapsed),
  };
}

/** Its end says most: the last line of a traceback. */
function cut(text: string): string {
  return text.length <= LONGEST_REASON ? text : `…${text.slice(1 - LONGEST_REASON)}`;
}
