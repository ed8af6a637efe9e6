import { encodeValue } from "../../src/protocol/index.js";
import {
  memoryStorage,
  Session,
  type Finding,
  type RunResult,
  type StorageBackend,
  type ToolScope,
  type Value,
} from "../../src/index.js";
import type { ConformanceCase, Expectation, ExpectedError, Step } from "./conformance-case.js";
import { waitingCalls } from "./waiting-calls.js";

export interface ConformanceResult {
  readonly id: string;
  readonly title: string;
  /** What did not hold; empty when the row holds. */
  readonly differences: readonly string[];
}

/**
 * Runs rows of the specification against sessions, without a test framework, so
 * that any browser can do it. Rows share one session unless they ask for their own.
 */
export class ConformanceRunner {
  readonly #open: (storage: StorageBackend) => Promise<Session>;
  #storage: StorageBackend = memoryStorage();
  #session: Session | undefined;

  /** @param open - makes a session of the host under test, with the fixture's tools. */
  constructor(open: (storage: StorageBackend) => Promise<Session>) {
    this.#open = open;
  }

  async run({ id, title, steps, fresh = false }: ConformanceCase): Promise<ConformanceResult> {
    if (fresh) await this.end();
    const differences: string[] = [];
    for (const [index, step] of steps.entries()) {
      const found = await this.#take(step);
      differences.push(...found.map((difference) => `step ${String(index + 1)}: ${difference}`));
    }
    return { id, title, differences };
  }

  async runAll(cases: readonly ConformanceCase[]): Promise<ConformanceResult[]> {
    const results: ConformanceResult[] = [];
    for (const each of cases) results.push(await this.run(each));
    await this.end();
    return results;
  }

  /** Closes the session; the next row opens another on an empty storage. */
  async end(): Promise<void> {
    await this.#session?.close();
    this.#session = undefined;
    this.#storage = memoryStorage();
  }

  async #current(): Promise<Session> {
    this.#session ??= await this.#open(this.#storage);
    return this.#session;
  }

  async #take(step: Step): Promise<string[]> {
    switch (step.kind) {
      case "run": {
        return runStep(await this.#current(), step);
      }
      case "run-beside": {
        await this.#current();
        const other = await this.#open(memoryStorage());
        try {
          const alarms = await errorsFound(other, step.code);
          const result = await other.run(step.code);
          return [...compare(result, step.expect), ...falseAlarms(alarms, result)];
        } finally {
          await other.close();
        }
      }
      case "reset":
        await (await this.#current()).reset();
        return [];
      case "reopen":
        await (await this.#current()).close();
        this.#session = undefined;
        return [];
      case "close": {
        const session = await this.#current();
        for (let count = 0; count < step.times; count += 1) await session.close();
        return [];
      }
      case "page-creates-skill":
        await (await this.#current()).skills.create({ name: step.name, source: step.source });
        return [];
      case "open-badly":
        return openBadly(step);
    }
  }
}

async function runStep(session: Session, step: Extract<Step, { kind: "run" }>): Promise<string[]> {
  const { code, timeout, scope, stopAt, stopAtCall, stopInCall, expect } = step;
  const streams = { stdout: "", stderr: "" };
  let stopped = false;
  const stop = (): void => {
    session.interrupt();
  };
  if (stopInCall !== undefined) waitingCalls.addEventListener(stopInCall, stop, { once: true });
  const options = { ...(timeout === undefined ? {} : { timeout }), ...(scope === undefined ? {} : { scope }) };
  const alarms = await errorsFound(session, code, options);
  const result = await session.run(code, {
    ...options,
    onOutput: (chunk) => {
      if (chunk.kind !== "stdout" && chunk.kind !== "stderr") return;
      streams[chunk.kind] += chunk.text;
      if (stopAt === undefined || stopped || !streams[chunk.kind].includes(stopAt)) return;
      stopped = true;
      stop();
    },
    onCall: ({ name, outcome }) => {
      if (name === stopAtCall && outcome.kind === "pending") stop();
    },
  });
  if (stopInCall !== undefined) waitingCalls.removeEventListener(stopInCall, stop);
  const streamed = (["stdout", "stderr"] as const).filter((stream) => streams[stream] !== result[stream]);
  return [
    ...compare(result, expect),
    ...falseAlarms(alarms, result),
    ...streamed.map((stream) => `what came of ${stream} meanwhile is ${JSON.stringify(streams[stream].slice(0, 200))}`),
  ];
}

/** Every piece of code is checked before it runs, so that each row shows that the check knows its place. */
async function errorsFound(
  session: Session,
  code: string,
  { scope }: { readonly scope?: ToolScope } = {},
): Promise<Finding[]> {
  if (session.state === "closed") return [];
  const findings = await session.check(code, scope === undefined ? {} : { scope });
  return findings.filter(({ severity }) => severity === "error");
}

/** An error that the check is certain of has to be the one that the run ends with. */
function falseAlarms(errors: readonly Finding[], { error }: RunResult): string[] {
  if (errors.length === 0 || errors.some(({ pythonType }) => pythonType === error?.pythonType)) return [];
  return errors.map(
    ({ line, message }) => `the check is certain of what does not happen: line ${String(line)}: ${message}`,
  );
}

async function openBadly({ options, error, includes }: Extract<Step, { kind: "open-badly" }>): Promise<string[]> {
  const open: (options: never) => Promise<Session> = (given) => Session.open(given);
  try {
    const session = await open(options as never);
    await session.close();
    return ["a session was opened"];
  } catch (raised) {
    if (!(raised instanceof Error)) return [`${String(raised)} was thrown`];
    const kinds = raised instanceof TypeError ? [raised.name, "TypeError"] : [raised.name];
    return [
      ...(kinds.includes(error) ? [] : [`the error is a ${kinds.join(", a ")}, not a ${error}`]),
      ...(raised.message.includes(includes) ? [] : [`"${raised.message}" does not say "${includes}"`]),
    ];
  }
}

function compare(result: RunResult, expected: Expectation): string[] {
  const differences: string[] = [];
  const check = (what: string, actual: string, wanted: string): void => {
    if (actual !== wanted) differences.push(`${what} is ${actual}, not ${wanted}`);
  };
  check("value", describe(result.value), describe(expected.value ?? null));
  check("stdout", JSON.stringify(result.stdout), JSON.stringify(expected.stdout ?? ""));
  check("stderr", JSON.stringify(result.stderr), JSON.stringify(expected.stderr ?? ""));
  check("ok", String(result.ok), String(expected.error === undefined));
  const { notice } = expected;
  if (notice !== undefined && !result.notices.join("\n").includes(notice)) {
    differences.push(`the notices do not say "${notice}": ${JSON.stringify(result.notices)}`);
  }
  return [...differences, ...compareError(result, expected.error)];
}

function compareError({ error }: RunResult, expected: ExpectedError | undefined): string[] {
  if (expected === undefined) return error === null ? [] : [`it failed: ${String(error)}`];
  if (error === null) return [`it did not fail with ${expected.type}`];
  const text = String(error);
  const missing = (expected.includes ?? []).filter((part) => !text.includes(part));
  const unwanted = (expected.excludes ?? []).filter((part) => text.includes(part));
  return [
    ...(error.pythonType === expected.type ? [] : [`the error is ${error.pythonType}, not ${expected.type}: ${text}`]),
    ...missing.map((part) => `"${text}" does not contain "${part}"`),
    ...unwanted.map((part) => `"${text}" contains "${part}"`),
    ...(expected.text === undefined || expected.text === text ? [] : [`"${text}" is not "${expected.text}"`]),
  ];
}

/** All that tells two values apart: the wire text names tuples, sets, floats that are not numbers. */
function describe(value: Value): string {
  const { text, buffers } = encodeValue(value);
  return [text, ...buffers.map((bytes) => `[${bytes.join(" ")}]`)].join(" ");
}
