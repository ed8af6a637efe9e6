import type { Finding } from "../finding.js";
import { STUB_MODULES, type TypeCheckRequest } from "../type-checker.js";
import { TypeCheckerLostError, TypeCheckTimeoutError } from "./errors.js";
import { LanguageServer } from "./language-server.js";
import { attributeProbe } from "./attribute-probe.js";
import { findingsOf } from "./diagnostic-findings.js";
import type { Diagnostic } from "./server-messages.js";

export interface PyrightCheckerOptions {
  readonly spawn: () => Worker;
  /** Milliseconds. */
  readonly startTimeout: number;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Milliseconds for which checks do not try again what could not be started: each try may take as long as the first. */
const START_PAUSE = 300_000;

/** Asks one language server, one check after the other; a server that is over is followed by another. */
export class PyrightChecker {
  readonly #options: PyrightCheckerOptions;
  #server: LanguageServer | undefined;
  #closed: Error | undefined;
  /** Why the last start failed, and when (`performance.now`). */
  #failure: { readonly error: unknown; readonly time: number } | undefined;
  /** What the server has. */
  #stubs = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PyrightCheckerOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    return this.#inTurn(async () => {
      this.#failure = undefined;
      await this.#running(new Map());
    });
  }

  check(request: TypeCheckRequest): Promise<readonly Finding[]> {
    return this.#inTurn(() => this.#checkNow(request));
  }

  /** Nothing is started after it. */
  close(reason: Error): void {
    this.#closed = reason;
    this.#server?.end(reason);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #checkNow({ code, stubs, prelude }: TypeCheckRequest): Promise<readonly Finding[]> {
    const server = await this.#running(stubs);
    for (const [module, text] of stubs) {
      if (this.#stubs.get(module) === text) continue;
      this.#stubs.set(module, text);
      server.write(`${module}.pyi`, text);
    }
    // One line more than the code has, at its top.
    const diagnose = (text: string): Promise<readonly Diagnostic[]> =>
      server.diagnose(`${prelude}\n${withoutDirectives(text)}`);
    const work = async (): Promise<readonly Finding[]> => {
      const said = await diagnose(code);
      const probe = attributeProbe(said, code);
      const doubtful = probe === null ? new Set<Diagnostic>() : probe.doubtful(await diagnose(probe.code));
      return findingsOf(said, { code, doubtful });
    };
    return inTime(server, work(), new TypeCheckTimeoutError("check", this.#options.timeout));
  }

  /** A server is told at its start which files there are. @param stubs - what there has to be. */
  async #running(stubs: ReadonlyMap<string, string>): Promise<LanguageServer> {
    const { spawn, startTimeout } = this.#options;
    if (this.#closed !== undefined) throw this.#closed;
    const current = this.#server;
    if (current !== undefined && current.ended === undefined) {
      if ([...stubs.keys()].every((module) => this.#stubs.has(module))) return current;
      current.end(new TypeCheckerLostError("a module came that it did not know of"));
    }
    const failure = this.#failure;
    if (failure !== undefined && performance.now() - failure.time < START_PAUSE) throw failure.error;
    const server = new LanguageServer(spawn);
    this.#server = server;
    this.#stubs = new Map([...STUB_MODULES.map((module) => [module, ""] as const), ...stubs]);
    const files = new Map(Array.from(this.#stubs, ([module, text]) => [`${module}.pyi`, text] as const));
    try {
      await inTime(server, server.start(files), new TypeCheckTimeoutError("start", startTimeout));
    } catch (error) {
      this.#failure = { error, time: performance.now() };
      throw error;
    }
    this.#failure = undefined;
    return server;
  }
}

/** Code can keep a type checker busy for ever; then only its end stops it. */
async function inTime<T>(server: LanguageServer, work: Promise<T>, error: TypeCheckTimeoutError): Promise<T> {
  const timer = setTimeout(() => server.end(error), error.limit);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/** What the checker reads as an order about the whole file: `# pyright: basic`, `# pyright: reportCallIssue=false`. */
const DIRECTIVE = /#[^\S\r\n]*(?:based)?pyright:(?![^\S\r\n]*ignore)/g;

/**
 * The code without comments that set the checker's rules: with those it would look for what Python does not fail of, or
 * not say that it has come to its end. Comments about one line (`# pyright: ignore`) stay; so do all places.
 */
function withoutDirectives(code: string): string {
  return code.replaceAll(DIRECTIVE, (found) => "#".padEnd(found.length));
}
