import type { Session, SessionOptions } from "../../../src/index.js";
import type { ConformanceCase } from "../../conformance/index.js";

/** What a case asks of the session; a case whose demands are not met is skipped, with the reason in the report. */
interface Demands {
  /** Names that `session.supports` must say yes to. */
  readonly needs?: readonly string[];
  /** Names that it must say no to. */
  readonly lacks?: readonly string[];
}

/** A case as data, in the form of the specification's rows. */
export interface EngineCase extends ConformanceCase, Demands {}

/** A case that does what data cannot say. */
export interface PageCase extends Demands {
  readonly id: string;
  readonly title: string;
  /**
   * The tests that try the same, and more of it, in Chromium: a file or folder below `test/browser`. With it the case is
   * the short form for the other engines, and is not run in the Chromium that `npm test` drives.
   */
  readonly inChromium?: string;
  /**
   * @param shared - the session of shared-session.ts, for cases that leave nothing behind but tools of names of their own.
   * @returns what did not hold; nothing when all did.
   */
  run(open: OpenSession, shared: SharedSession): Promise<readonly string[]>;
}

export type OpenSession = (options?: Partial<SessionOptions>) => Promise<Session>;
export type SharedSession = () => Promise<Session>;

/** @returns why the session cannot run the case; undefined when it can. */
export function unmetDemand({ needs = [], lacks = [] }: Demands, session: Session): string | undefined {
  const missing = needs.find((name) => !session.supports(name));
  if (missing !== undefined) return `the session does not support ${missing} here`;
  const there = lacks.find((name) => session.supports(name));
  return there === undefined ? undefined : `the session supports ${there} here`;
}

/** For page cases: a difference where two things that should be equal are not, by their JSON. */
export function differ(what: string, actual: unknown, expected: unknown): string[] {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  return found === wanted ? [] : [`${what} is ${found}, not ${wanted}`];
}
