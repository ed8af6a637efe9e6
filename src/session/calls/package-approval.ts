import type { PackagePlan } from "../../deps/index.js";
import type { Approver, Decision, InvokeContext } from "../../dispatch/index.js";
import type { TrustLevel } from "../../protocol/index.js";
import type { AutoInstall } from "../session-options.js";
import type { CallOrigin } from "./call-origin.js";

export interface PackageApprovalParts {
  readonly approver: Approver;
  readonly trust: TrustLevel;
  readonly autoInstall: AutoInstall;
}

/** What a module that code is about to import comes to. */
export interface PlannedImport {
  readonly module: string;
  readonly files: readonly PackagePlan[];
  /** Address of an index that would have to be asked to know. */
  readonly asks?: string;
}

/** Asks a person about packages that code imports, where the session asks. */
export class PackageApproval {
  readonly #parts: PackageApprovalParts;

  constructor(parts: PackageApprovalParts) {
    this.#parts = parts;
  }

  /** Whether code gets packages that it imports at all. */
  get isOn(): boolean {
    return this.#parts.autoInstall !== "never";
  }

  async ask(
    imports: readonly PlannedImport[],
    origin: CallOrigin,
    { callId, signal }: InvokeContext,
  ): Promise<Exclude<Decision, { kind: "ask" }>> {
    const { approver, trust, autoInstall } = this.#parts;
    if (autoInstall === "allow") return { kind: "allow" };
    if (autoInstall === "never") return { kind: "deny", reason: "this session installs nothing for imports" };
    const { caller, inAgentRun, task, runId } = origin;
    const modules = imports.map(({ module }) => module);
    const files = new Map(imports.flatMap((planned) => planned.files.map((file) => [file.filename, file])));
    const asked = imports.flatMap(({ module, asks }) =>
      asks === undefined ? [] : [`${module}, looked for at ${asks}`],
    );
    return approver.ask(
      {
        name: "deps.provide",
        arguments: { modules, packages: [...Array.from(files.values(), inWords), ...asked] },
        hints: { idempotent: true },
        caller,
        inAgentRun,
        path: task?.path ?? [],
        runId,
        callId,
        trust,
        reason: reasonOf(
          modules,
          [...files.values()],
          imports.flatMap(({ asks = [] }) => asks),
        ),
        foreign: null,
      },
      signal,
    );
  }
}

function reasonOf(modules: readonly string[], files: readonly PackagePlan[], indexes: readonly string[]): string {
  const fetched = files.length === 0 ? [] : [whatWouldCome(files)];
  const asked = [...new Set(indexes)].map(
    (address) => `${address} would be asked for ${files.length === 0 ? "it" : "the rest"}`,
  );
  const verb = modules.length === 1 ? "is" : "are";
  return `The code imports ${modules.join(", ")}, which ${verb} not installed: ${[...fetched, ...asked].join(", and ")}.`;
}

function inWords({ name, version, size, address }: PackagePlan): string {
  const bytes = size === undefined ? "size unknown" : size === 0 ? "kept on this device" : megabytes(size);
  return `${name} ${version}, ${bytes}, from ${address}`;
}

function whatWouldCome(files: readonly PackagePlan[]): string {
  const wanted = files.filter(({ size }) => size !== 0);
  const kept = files.length - wanted.length;
  if (kept === 0) return `${sizeInWords(files)} would be fetched`;
  const there = `${kept === 1 ? "one file" : `${String(kept)} files`}, kept on this device, would be installed`;
  return wanted.length === 0 ? there : `${sizeInWords(wanted)} would be fetched, and ${there}`;
}

function sizeInWords(files: readonly PackagePlan[]): string {
  const count = files.length === 1 ? "one file" : `${String(files.length)} files`;
  const known = files.reduce((sum, { size = 0 }) => sum + size, 0);
  if (files.every(({ size }) => size !== undefined)) return `${count} of ${megabytes(known)}`;
  return known === 0 ? `${count} of unknown size` : `${count} of more than ${megabytes(known)}`;
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${String(Math.ceil(bytes / 1000))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
