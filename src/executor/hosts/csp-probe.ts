import { INNER_SCRIPT_HASH, OUTER_SCRIPT_HASH } from "../../csp/index.js";
import { CspBlockedError } from "../errors.js";
import { INNER_SCRIPT, OUTER_SCRIPT } from "./sealed-frame-documents.js";

/** What a host needs from the policy of the page it runs on. */
export type CspNeed = "wasm" | "worker" | "import" | "outer-script" | "inner-script" | "connect";

/** The smallest WebAssembly module: its magic number and version. */
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

interface Probe {
  /** What to add to the policy, in its own words. */
  readonly directive: string;
  attempt(): Promise<void> | void;
}

const probes: Readonly<Record<CspNeed, Probe>> = {
  wasm: {
    directive: "script-src 'wasm-unsafe-eval'",
    attempt: () => {
      new WebAssembly.Module(EMPTY_MODULE);
    },
  },
  worker: { directive: "worker-src blob:", attempt: startEmptyWorker },
  import: { directive: "script-src blob:", attempt: importEmptyModule },
  "outer-script": { directive: `script-src ${OUTER_SCRIPT_HASH}`, attempt: () => runFrameScript(OUTER_SCRIPT) },
  "inner-script": { directive: `script-src ${INNER_SCRIPT_HASH}`, attempt: () => runFrameScript(INNER_SCRIPT) },
  connect: { directive: "connect-src blob:", attempt: fetchEmptyBlob },
};

/**
 * Tries what the host is about to do, on the page, whose policy frames and
 * workers inherit. A page without a policy passes at once.
 * @throws {CspBlockedError} naming every directive that is missing.
 */
export async function throwIfCspBlocks(needs: readonly CspNeed[]): Promise<void> {
  if (!takesText())
    throw new CspBlockedError(["workers and frames from text, without require-trusted-types-for 'script'"]);
  const outcomes = await Promise.all(needs.map(isBlocked));
  const missing = needs.filter((_need, index) => outcomes[index]).map((need) => probes[need].directive);
  if (missing.length > 0) throw new CspBlockedError(missing);
}

/** False where the page has Trusted Types enforced, with which every other probe would fail for the wrong reason. */
function takesText(): boolean {
  try {
    document.createElement("iframe").srcdoc = "";
    return true;
  } catch {
    return false;
  }
}

const passed = new Set<CspNeed>();

async function isBlocked(need: CspNeed): Promise<boolean> {
  // A page's policy can only grow stricter, which a later failure to start would show.
  if (passed.has(need)) return false;
  try {
    await probes[need].attempt();
    passed.add(need);
    return false;
  } catch {
    return true;
  }
}

async function withBlobUrl(text: string, use: (url: string) => Promise<void>): Promise<void> {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    await use(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

function startEmptyWorker(): Promise<void> {
  return withBlobUrl("postMessage(null)", (url) => {
    return new Promise((resolve, reject) => {
      const worker = new Worker(url);
      worker.onmessage = () => {
        worker.terminate();
        resolve();
      };
      worker.onerror = () => {
        reject(new Error("worker refused"));
      };
    });
  });
}

function importEmptyModule(): Promise<void> {
  return withBlobUrl("export {}", async (url) => {
    await import(/* @vite-ignore */ url);
  });
}

async function fetchEmptyBlob(): Promise<void> {
  await withBlobUrl("", async (url) => {
    await fetch(url);
  });
}

/**
 * In a frame whose parser meets the script, as the sealed frame's does: a page's policy may trust what its scripts put in,
 * and not that. The frame is of the page's own origin, and by its load event the script listens, or was refused.
 */
function runFrameScript(script: string): Promise<void> {
  const frame = document.createElement("iframe");
  frame.style.display = "none";
  frame.srcdoc = `<!doctype html><script>${script}</script>`;
  return new Promise((resolve, reject) => {
    const look = (): void => {
      // A page without an origin cannot look into its frames.
      const isRun = frame.contentDocument === null ? runsHere(script) : frame.contentWindow?.onmessage !== null;
      frame.remove();
      if (isRun) resolve();
      else reject(new Error("the script was refused"));
    };
    frame.addEventListener("load", look, { once: true });
    document.body.append(frame);
  });
}

/** Whether it begins to listen on the page itself, which goes on as before. With `'strict-dynamic'` it always does. */
function runsHere(text: string): boolean {
  const before = window.onmessage;
  const script = document.createElement("script");
  script.textContent = text;
  document.head.append(script);
  script.remove();
  const isRun = window.onmessage !== before;
  window.onmessage = before;
  return isRun;
}
