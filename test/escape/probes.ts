import { titleOf, type Attempt } from "./attempts/index.js";
import type { Pass } from "./suite.js";

/** What a probe found where an engine lacks what an attempt needs. */
export interface Lack {
  readonly need: string;
  readonly finding: string;
}

/**
 * The attempts that mean nothing in this engine, as probes in a plain page and in a plain worker of it show. One that fails is a
 * lack, too.
 */
export async function lacksOf(pass: Pass, attempts: readonly Attempt[]): Promise<ReadonlyMap<string, Lack>> {
  const needing = attempts.flatMap((attempt) =>
    attempt.needs === undefined ? [] : [{ attempt, need: attempt.needs }],
  );
  const scripts = needing.map(({ attempt, need }) => {
    const script = probing(need.probe, pass);
    return attempt.ring === "worker" ? inWorker(script) : script;
  });
  if (scripts.length === 0) return new Map();
  const found = (await pass.askPlainPage(`Promise.all([${scripts.join(", ")}])`)) as readonly Finding[];
  // A window that a probe opened is nobody's.
  await pass.takeEvents();
  return new Map(
    needing.flatMap(({ attempt, need: { name, probe } }, at) => {
      const { isThere = false, text = "nothing" } = found[at] ?? {};
      return isThere ? [] : [[titleOf(attempt), { need: name, finding: `${probe} is ${text}` }] as const];
    }),
  );
}

interface Finding {
  readonly isThere: boolean;
  readonly text: string;
}

/** An expression for a {@link Finding}. */
function probing(probe: string, { origin, listeners }: Pass): string {
  return `(async () => {
    const comes = async (use) => {
      const id = crypto.randomUUID();
      await use("http://127.0.0.1:${String(listeners.port)}/probe/" + id);
      return (await (await fetch("${origin}/came/" + id)).text()) === "yes";
    };
    try {
      const found = await (${probe});
      return { isThere: Boolean(found), text: String(found) };
    } catch (error) {
      return { isThere: false, text: String(error) };
    }
  })()`;
}

function inWorker(script: string): string {
  const text = `${script}.then(postMessage)`;
  return `new Promise((resolve, reject) => {
    const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(text)}], { type: "text/javascript" })));
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  })`;
}
