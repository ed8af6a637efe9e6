import { INNER_SCRIPT_HASH, OUTER_SCRIPT_HASH } from "../../csp/index.js";
import { CspBlockedError } from "../errors.js";
import { INNER_SCRIPT, OUTER_DOCUMENT, OUTER_SCRIPT } from "./sealed-frame-documents.js";

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
async function runFrameScript(script: string): Promise<void> {
  const frame = await loadedFrame(`<!doctype html><script>${script}</script>`);
  const isHidden = frame.contentDocument === null;
  const isRun = isHidden ? await runsUnseen(script) : frame.contentWindow?.onmessage !== null;
  frame.remove();
  if (!isRun) throw new Error("the script was refused");
}

/** A frame that has loaded, and the scripts in it run or were refused. */
function loadedFrame(content: string, { isSealed = false } = {}): Promise<HTMLIFrameElement> {
  const frame = document.createElement("iframe");
  if (isSealed) frame.setAttribute("sandbox", "allow-scripts");
  frame.style.display = "none";
  frame.srcdoc = content;
  return new Promise((resolve) => {
    frame.addEventListener("load", () => resolve(frame), { once: true });
    document.body.append(frame);
  });
}

/** The same on a page without an origin, which cannot look into its frames. */
async function runsUnseen(script: string): Promise<boolean> {
  if (!runsHere(script)) return false;
  // What runs here may run for its hash. Where every script does that the page puts in, that says nothing of a frame's.
  if (!runsHere("onmessage = () => undefined;")) return true;
  // One frame for both scripts.
  asking ??= sealedFrameAnswers().finally(() => {
    asking = undefined;
  });
  return asking;
}

let asking: Promise<boolean> | undefined;

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

/** Frames that load in vain while one is waited for, and milliseconds that are waited for it at the least. */
const OTHERS = 5;
const SILENCE = 500;

/**
 * Whether a sealed frame starts a worker: for that both of its scripts have to run. Where they do not, nothing tells: then
 * it has been silent for as long as several such frames take to load on this machine.
 */
async function sealedFrameAnswers(): Promise<boolean> {
  const frame = await loadedFrame(OUTER_DOCUMENT, { isSealed: true });
  const [worker, status, urls] = [new MessageChannel(), new MessageChannel(), new MessageChannel()];
  const answered = new Promise<true>((resolve) => {
    status.port1.onmessage = () => {
      resolve(true);
    };
  });
  frame.contentWindow?.postMessage("", "*", [worker.port2, status.port2, urls.port2]);
  try {
    return await Promise.race([answered, silence()]);
  } finally {
    frame.remove();
    for (const { port1 } of [worker, status, urls]) port1.close();
  }
}

async function silence(): Promise<false> {
  const least = new Promise((resolve) => setTimeout(resolve, SILENCE));
  for (let count = 0; count < OTHERS; count += 1) {
    const other = await loadedFrame(`<!doctype html><iframe srcdoc="<!doctype html>"></iframe>`, { isSealed: true });
    other.remove();
  }
  await least;
  return false;
}
