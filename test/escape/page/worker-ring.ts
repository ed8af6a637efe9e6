import { memoryStorage, Session, type TrustLevel } from "../../../src/index.js";
import type { Attempt, Place } from "../attempts/index.js";
import type { Outcome } from "./frame-ring.js";

/** Looks at a promise of the worker's; between two of them its own event loop runs. */
const LOOKS = 40;
const PAUSE = 25;

/**
 * `watch` follows a promise; `run_script` runs JavaScript in whichever way the
 * worker still has, so that no attempt fails for want of `eval` alone.
 */
const prelude = `
import js
from pyodide.ffi import to_js

_watched = []

def watch(future):
    _watched[:] = [future]

def run_script(text):
    js.self.outcome = None
    try:
        js.eval(text)
    except Exception:
        url = js.URL.createObjectURL(js.Blob.new(to_js([text]), type="text/javascript"))
        js.Reflect.apply(js.WorkerGlobalScope.prototype.importScripts, js.self, to_js([url]))
    _watched[:] = ["script"]

def outcome():
    if not _watched:
        return ""
    if _watched[0] == "script":
        return js.self.outcome
    if not _watched[0].done():
        return None
    error = _watched[0].exception()
    return f"gained {_watched[0].result()}" if error is None else f"refused {error}"
`;

/** Sessions of the attacker, kept from attempt to attempt as long as they live. */
export class WorkerRing {
  readonly #sessions = new Map<TrustLevel, Session>();

  async attempt(attempt: Attempt, { place, trust }: { place: Place; trust: TrustLevel }): Promise<Outcome> {
    const session = await this.#session(trust);
    const code = attempt.code(place);
    await session.run("_watched.clear()");
    const python = attempt.language === "python" ? code : runScript(code);
    const result = await session.run(python, { timeout: attempt.ruinous === true ? 1500 : 10_000 });
    if (attempt.ruinous === true) await this.drop(trust);
    if (result.error !== null) return { gained: false, text: result.error.message };
    if (attempt.ruinous === true) return { gained: true, text: "it ended" };
    for (let look = 0; look < LOOKS; look += 1) {
      const { value } = await session.run("outcome()");
      if (value === "") return { gained: true, text: result.valueRepr ?? "" };
      if (typeof value === "string") return { gained: value.startsWith("gained"), text: value };
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    return { gained: false, text: "it did not settle" };
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

  /** A session at this level is not used again. */
  async drop(trust: TrustLevel): Promise<void> {
    await this.#sessions.get(trust)?.close();
    this.#sessions.delete(trust);
  }

  async #session(trust: TrustLevel): Promise<Session> {
    const kept = this.#sessions.get(trust);
    if (kept !== undefined && kept.state !== "closed" && (await kept.run("outcome")).ok) return kept;
    await kept?.close();
    const session = await Session.open({ storage: memoryStorage(), trust, onProblem: () => undefined });
    const { error } = await session.run(prelude);
    if (error !== null) throw new Error(`The prelude failed: ${error.toString()}`);
    this.#sessions.set(trust, session);
    return session;
  }
}

/** JavaScript as one Python statement. Its outcome is that of its promise. */
function runScript(code: string): string {
  const script = `self.outcome = null; (async () => { ${code} })().then(
    (value) => { self.outcome = "gained " + value }, (error) => { self.outcome = "refused " + error });`;
  return `run_script(${JSON.stringify(script)})`;
}
