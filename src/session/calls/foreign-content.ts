import {
  CallNotAllowedError,
  type Approver,
  type Decision,
  type ForeignContent,
  type ForeignItem,
  type InvokeContext,
} from "../../dispatch/index.js";
import type { Dep } from "../../deps/index.js";
import type { TrustLevel } from "../../protocol/index.js";
import { sha256 } from "../../storage/index.js";
import type { Skill } from "../../skills/index.js";
import type { ChangeRecording, FileRecord, WithheldFile, Workspace, WorkspaceMirror } from "../../workspace/index.js";
import type { CallOrigin } from "./call-origin.js";

/** The higher, the stronger the seal. */
const SEAL: Readonly<Record<TrustLevel, number>> = { local: 0, isolated: 1, sandboxed: 2 };

/**
 * Whether a person has to agree before a session of level `here` uses what one of
 * level `author` wrote. What a person or the site put there has no author.
 */
export function isForeign(author: TrustLevel | undefined, here: TrustLevel): author is TrustLevel {
  return author !== undefined && SEAL[author] > SEAL[here];
}

/** The files of a session. */
export interface SessionWorkspace {
  readonly workspace: Workspace;
  /** The level of the session, which what it writes carries. */
  readonly trust: TrustLevel;
  /** Keeps what files held before the session changed them; undefined where nothing does. */
  readonly recording: ChangeRecording | undefined;
}

/** What an interpreter of a session knows of the files, without the foreign ones that no person has agreed to. */
export function mirrorOf({ workspace, trust, recording }: SessionWorkspace): WorkspaceMirror {
  return workspace.mirror(trust, (author) => isForeign(author, trust), recording);
}

/** Who waits for the answer. */
export interface ForeignUse {
  readonly origin: Pick<CallOrigin, "runId" | "caller" | "inAgentRun" | "task" | "signal">;
  /** The call that uses it, with its namespace. */
  readonly name: string;
  readonly callId: string | null;
}

/**
 * What sessions of a stronger seal left in the storage. Code that was locked in
 * there could wait for a session that is not: so a person looks first.
 */
export class ForeignContents {
  readonly #approver: Approver;
  readonly #trust: TrustLevel;
  readonly #refusedFiles = new Set<string>();

  constructor(approver: Approver, trust: TrustLevel) {
    this.#approver = approver;
    this.#trust = trust;
  }

  /** @throws {CallNotAllowedError} when the skill is foreign and nobody agreed to it. */
  async checkSkill({ name, source, trust }: Skill, origin: CallOrigin, { callId }: InvokeContext): Promise<void> {
    if (!isForeign(trust, this.#trust)) return;
    const items = [{ name, content: source, key: `skill ${sha256(`${name}\n${source}`)}` }];
    const use = { origin, name: `skills.${name}`, callId };
    const decision = await this.#agree({ kind: "skill", trust, items }, use);
    if (decision.kind !== "allow") throw new CallNotAllowedError(use.name, decision.reason);
  }

  /** Tells of each package whether it may be installed here; a reason says why not. */
  async checkPackages(
    packages: readonly Dep[],
    origin: CallOrigin,
    { callId }: InvokeContext,
  ): Promise<(spec: string) => string | null> {
    const foreign = packages.filter(({ trust }) => isForeign(trust, this.#trust));
    const [first] = foreign;
    if (first?.trust === undefined) return () => null;
    const items = foreign.map(({ spec }) => ({ name: spec, content: spec, key: `package ${spec}` }));
    const decision = await this.#agree(
      { kind: "package", trust: first.trust, items },
      { origin, name: "deps.sync", callId },
    );
    if (decision.kind === "allow") return () => null;
    const refused = new Set(foreign.map(({ spec }) => spec));
    return (spec) => (refused.has(spec) ? decision.reason : null);
  }

  /**
   * Asks about the files that the interpreter has not got yet, before a run. Those that nobody agreed to are withheld
   * from it, until their content changes or the session is opened anew.
   *
   * @returns what to tell of them.
   */
  async checkFiles(mirror: WorkspaceMirror, origin: ForeignUse["origin"]): Promise<string[]> {
    const notices: string[] = [];
    const asked: (WithheldFile & { readonly key: string })[] = [];
    for (const file of await mirror.withheld()) {
      const key = fileKey(file.path, file.version);
      if (this.#approver.hasAgreed(key)) mirror.admit(file.version);
      else if (this.#refusedFiles.has(key)) notices.push(this.#withheldNotice(file, "a person said no"));
      else asked.push({ ...file, key });
    }
    const [first] = asked;
    if (first === undefined) return notices;
    const decision = await this.#agree(
      { kind: "file", trust: first.trust, items: this.#approver.canAsk ? await readItems(asked) : [] },
      { origin, name: "workspace", callId: null },
    );
    for (const file of asked) {
      if (decision.kind === "allow") {
        mirror.admit(file.version);
        continue;
      }
      if (this.#approver.canAsk) this.#refusedFiles.add(file.key);
      notices.push(this.#withheldNotice(file, decision.reason));
    }
    return notices;
  }

  /** Whether a file is kept from this session: code of a stronger seal wrote it, and no person has agreed to it. */
  withholds(path: string, { version, trust }: FileRecord): boolean {
    return isForeign(trust, this.#trust) && !this.#approver.hasAgreed(fileKey(path, version));
  }

  #withheldNotice({ path, trust }: WithheldFile, reason: string): string {
    return `${path} was written by a ${trust} session and is withheld from this ${this.#trust} one: ${reason}.`;
  }

  async #agree(foreign: ForeignContent, { origin, name, callId }: ForeignUse): Promise<Answer> {
    const { runId, caller, inAgentRun, task, signal } = origin;
    const what = { skill: "This skill was", file: "These files were", package: "These packages were" }[foreign.kind];
    const reason =
      `${what} put here by the code of a ${foreign.trust} session. ` +
      `This session is ${this.#trust}, where code can reach more.`;
    const path = task?.path ?? [];
    const asking = { name, arguments: {}, hints: {}, caller, inAgentRun, path, runId, callId, trust: this.#trust };
    return this.#approver.ask({ ...asking, reason, foreign }, signal);
  }
}

function fileKey(path: string, version: string): string {
  return `file ${path} ${version}`;
}

type Answer = Exclude<Decision, { kind: "ask" }>;

async function readItems(files: readonly (WithheldFile & { readonly key: string })[]): Promise<ForeignItem[]> {
  const contents = await Promise.all(files.map((file) => file.read()));
  return files.map(({ path, key }, index) => ({ name: path, content: contents[index] ?? new Uint8Array(), key }));
}
