import { memoryStorage, Session, type TrustLevel } from "../../../src/index.js";
import { slugOf, type Attempt, type Place } from "../attempts/index.js";
import type { Outcome } from "./frame-ring.js";
import { toolsFor } from "./tools.js";

/** Looks at the promises of the worker; between two of them its own event loop runs. */
const LOOKS = 40;
const PAUSE = 25;

/** Milliseconds for the code of an attempt; one that is out to ruin its interpreter gets fewer. */
const LIMIT = 10_000;
const RUINOUS_LIMIT = 1000;

/**
 * `watch` follows a promise; `run_script` runs JavaScript in whichever way the
 * worker still has, so that no attempt fails for want of `eval` alone.
 */
const prelude = `
import js
from pyodide.ffi import to_js

_watched = {}
_current = ""
js.self.outcomes = js.Object.new()

def begin(key):
    global _current
    _current = key
    _watched.pop(key, None)
    js.Reflect.deleteProperty(js.self.outcomes, key)

def watch(future):
    _watched[_current] = future

def run_script(text):
    try:
        js.eval(text)
    except Exception:
        url = js.URL.createObjectURL(js.Blob.new(to_js([text]), type="text/javascript"))
        js.Reflect.apply(js.WorkerGlobalScope.prototype.importScripts, js.self, to_js([url]))
    _watched[_current] = "script"

def outcome(key):
    watched = _watched[key]
    if watched == "script":
        return js.Reflect.get(js.self.outcomes, key)
    if not watched.done():
        return None
    error = watched.exception()
    return f"gained {watched.result()}" if error is None else f"refused {error}"

def outcomes():
    return {key: outcome(key) for key in _watched}
`;

const finestClock = `
import js, time

def step(now):
    readings = [now() for _ in range(30_000)]
    return min(after - before for before, after in zip(readings, readings[1:]) if after != before)

min(step(js.performance.now), step(time.perf_counter) * 1000, step(time.monotonic) * 1000)
`;

/** Sessions of the attacker, kept from attempt to attempt as long as they live. */
export class WorkerRing {
  readonly #sessions = new Map<TrustLevel, Session>();

  /** One after the other, all waited for together. In the order of the attempts. */
  async attempts(
    attempts: readonly Attempt[],
    { placeOf, trust }: { placeOf: (attempt: Attempt) => Place; trust: TrustLevel },
  ): Promise<Outcome[]> {
    const ended = new Map<string, Outcome>();
    for (const attempt of attempts) {
      const outcome = await this.#begin(attempt, { place: placeOf(attempt), trust });
      ended.set(slugOf(attempt), outcome);
    }
    const session = await this.#session(trust);
    for (let look = 0; look < LOOKS; look += 1) {
      const { value } = await session.run("outcomes()");
      const told = Object.entries(value ?? {}).filter(([key]) => ended.has(key));
      for (const [key, text] of told) {
        const outcome =
          typeof text === "string"
            ? { gained: text.startsWith("gained"), text }
            : { gained: false, text: "it did not settle" };
        ended.set(key, outcome);
      }
      if (told.every(([, text]) => typeof text === "string")) break;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    return attempts.map((attempt) => ended.get(slugOf(attempt)) ?? { gained: false, text: "it was not made" });
  }

  /** Code after which its interpreter may be of no use, in a session of its own. */
  async attemptRuin(attempt: Attempt, { place, trust }: { place: Place; trust: TrustLevel }): Promise<Outcome> {
    const session = await openSession(trust);
    try {
      const code = attempt.code(place);
      const python = attempt.language === "python" ? code : `run_script(${JSON.stringify(code)})`;
      const { error } = await session.run(python, { timeout: RUINOUS_LIMIT });
      return error === null ? { gained: true, text: "it ended" } : { gained: false, text: error.message };
    } finally {
      await session.close();
    }
  }

  /** Whether JavaScript text runs in the sealed worker, in whichever way. */
  async runsScripts(): Promise<boolean> {
    const session = await this.#session("sandboxed");
    const { value } = await session.run('run_script("self.ran = 42")\njs.self.ran');
    return value === 42;
  }

  /** Those of the names that the sealed worker's global object has. */
  async present(names: readonly string[]): Promise<readonly string[]> {
    const session = await this.#session("sandboxed");
    const { value } = await session.run(`[name for name in ${JSON.stringify(names)} if name in dir(js.self)]`);
    return Array.isArray(value) ? value.map(String) : ["an answer of another form"];
  }

  /** Milliseconds of the smallest step that a clock of the sealed worker makes. */
  async finestClock(): Promise<number> {
    const session = await this.#session("sandboxed");
    const { value } = await session.run(finestClock);
    return typeof value === "number" ? value : Number.NaN;
  }

  /** A session at this level is not used again. */
  async drop(trust: TrustLevel): Promise<void> {
    await this.#sessions.get(trust)?.close();
    this.#sessions.delete(trust);
  }

  async #begin(attempt: Attempt, { place, trust }: { place: Place; trust: TrustLevel }): Promise<Outcome> {
    const session = await this.#session(trust);
    const key = slugOf(attempt);
    const code = attempt.code(place);
    const python = attempt.language === "python" ? code : runScript(key, code);
    const { error, valueRepr } = await session.run(`begin("${key}")\n${python}`, { timeout: LIMIT });
    // A session that lost its interpreter has lost what attempts in it need.
    if (error !== null && !(await session.run("begin")).ok) await this.drop(trust);
    return error === null ? { gained: true, text: valueRepr ?? "" } : { gained: false, text: error.message };
  }

  async #session(trust: TrustLevel): Promise<Session> {
    const kept = this.#sessions.get(trust);
    if (kept !== undefined && kept.state !== "closed") return kept;
    const session = await openSession(trust);
    this.#sessions.set(trust, session);
    return session;
  }
}

async function openSession(trust: TrustLevel): Promise<Session> {
  const problems: string[] = [];
  const session = await Session.open({
    storage: memoryStorage(),
    trust,
    ...toolsFor(trust),
    packages: [{ folder: "/wheels/" }],
    onProblem: (problem) => problems.push(String(problem)),
  });
  // An attempt on a tool that is not there would be held by nothing.
  if (problems.length > 0) throw new Error(`The session of the attempts has problems: ${problems.join("; ")}`);
  const { error } = await session.run(prelude);
  if (error !== null) throw new Error(`The prelude failed: ${error.toString()}`);
  return session;
}

/** JavaScript as one Python statement. Its outcome is that of its promise. */
function runScript(key: string, code: string): string {
  const script = `(async () => { ${code} })().then(
    (value) => { self.outcomes["${key}"] = "gained " + value }, (error) => { self.outcomes["${key}"] = "refused " + error });`;
  return `run_script(${JSON.stringify(script)})`;
}
