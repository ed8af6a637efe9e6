import type { PyodideAPI } from "pyodide";

import type { PrepareReport, PrepareRequest, PyodideFiles } from "../src/protocol/index.js";
import { CStack } from "./c-stack.js";
import { InterpreterMemory } from "./interpreter-memory.js";
import { PackedFiles } from "./packed-files.js";
import { packSnapshot, unpackSnapshot } from "./packed-snapshot.js";
import { loadInterpreter } from "./pyodide-loader.js";
import { importsOfLockfile, installPythonPackage } from "./python-package.js";
import { refreshTimeZone } from "./restored-state.js";

/** An interpreter with Vitrine's package in it, before it belongs to a session. */
export interface PreparedInterpreter {
  readonly pyodide: PyodideAPI;
  readonly memory: InterpreterMemory;
  readonly stack: CStack;
  /** Module to file of the lockfile, a Python dict. */
  readonly lockfileImports: unknown;
}

interface BaseSnapshotModule {
  before_snapshot(): void;
  after_restore(): number;
}

interface PlacingModule {
  place_by(placer: PackedFiles["place"]): void;
}

interface WheelsModule {
  install_wheel(filename: string, content: unknown, verified: boolean): string | undefined;
}

/**
 * Makes an interpreter: from the base snapshot where there is one that fits, by
 * the plain way otherwise. No code but Pyodide's and ours has run in it.
 */
export async function prepareInterpreter(
  request: PrepareRequest,
): Promise<{ interpreter: PreparedInterpreter; report: PrepareReport }> {
  const start = performance.now();
  const stages: Record<string, number> = {};
  const mark = (stage: string): void => {
    stages[stage] = performance.now() - start;
  };
  const packed = request.snapshot === null ? undefined : new Uint8Array(await request.snapshot.arrayBuffer());
  mark("snapshot read");
  const { pyodide, memory, stack, refused } = await load(request, packed);
  mark("pyodide");
  installPythonPackage(pyodide);
  const fromSnapshot = packed !== undefined && refused === null;
  if (fromSnapshot) {
    refreshTimeZone(pyodide);
    const takenAt = baseSnapshotModule(pyodide).after_restore() * 1000;
    memory.advanceClock(Math.max(0, takenAt - performance.now()));
  }
  mark("package");
  const lockfileImports: unknown = pyodide.toPy(importsOfLockfile(await request.pyodide.lockfile.text()));
  pyodide.pyimport("vitrine._runner");
  mark("vitrine");
  (pyodide.pyimport("vitrine._placing") as PlacingModule).place_by(new PackedFiles(pyodide.FS).place);
  const wheelProblems = installWheels(pyodide, request.wheels);
  mark("wheels");
  const report = { fromSnapshot, refused, heapSize: memory.size, wheelProblems, stages };
  return { interpreter: { pyodide, memory, stack, lockfileImports }, report };
}

/**
 * Makes the base snapshot: an interpreter with Vitrine's package imported, packed.
 * Only ever called in a worker that ends with it.
 */
export async function makeBaseSnapshot(files: PyodideFiles): Promise<Uint8Array<ArrayBuffer>> {
  const pyodide = await loadInterpreter(files, {
    memory: new InterpreterMemory(),
    stack: new CStack(),
    forSnapshot: true,
  });
  installPythonPackage(pyodide);
  baseSnapshotModule(pyodide).before_snapshot();
  return packSnapshot(pyodide.makeMemorySnapshot());
}

function installWheels(pyodide: PyodideAPI, wheels: PrepareRequest["wheels"]): string[] {
  if (wheels.length === 0) return [];
  const module = pyodide.pyimport("vitrine._wheels") as WheelsModule;
  return wheels.flatMap(({ filename, bytes, verified }) => {
    return module.install_wheel(filename, pyodide.toPy(bytes), verified) ?? [];
  });
}

function baseSnapshotModule(pyodide: PyodideAPI): BaseSnapshotModule {
  return pyodide.pyimport("vitrine._base_snapshot") as BaseSnapshotModule;
}

interface Loaded {
  readonly pyodide: PyodideAPI;
  readonly memory: InterpreterMemory;
  readonly stack: CStack;
  /** Why the snapshot could not be gone on from. */
  readonly refused: string | null;
}

async function load(
  { pyodide: files, module }: Pick<PrepareRequest, "pyodide" | "module">,
  packed: Uint8Array | undefined,
): Promise<Loaded> {
  let refused: string | null = null;
  if (packed !== undefined) {
    const parts = { memory: new InterpreterMemory(), stack: new CStack() };
    try {
      const snapshot = unpackSnapshot(packed);
      return { pyodide: await loadInterpreter(files, { ...parts, module, snapshot }), ...parts, refused };
    } catch (error) {
      refused = String(error);
    }
  }
  const parts = { memory: new InterpreterMemory(), stack: new CStack() };
  return { pyodide: await loadInterpreter(files, { ...parts, module }), ...parts, refused };
}
